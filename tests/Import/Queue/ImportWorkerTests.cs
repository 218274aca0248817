using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Jobs;
using NzbDav.Content;
using NzbDav.Import.Probing;
using NzbDav.Import.Progress;
using NzbDav.MockUsenet.Faults;

namespace NzbDav.Import.Tests.Queue;

/// <summary>What a worker publishes of a post, and what it leaves out.</summary>
public sealed class ImportWorkerTests
{
    [Fact]
    public async Task A_job_is_published_with_names_sizes_dates_and_maps()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var files = fixture.Post("movie.mkv", "movie.nfo", "movie.par2");
        await fixture.EnqueueAsync(files);
        var job = await fixture.RunAsync();
        Assert.Equal((JobState.Completed, null, 50_000L, 2), (job.State, job.FailureMessage, job.TotalBytes, job.FileCount));
        Assert.Equal(["parse", "probe", "name", "layout", "validate", "publish"], job.Timings.Select(timing => timing.Step));
        Assert.Equal(["movie.mkv", "movie.nfo"], (await fixture.PublishedAsync()).Order(StringComparer.Ordinal));

        var item = (await fixture.FindAsync("content/movies/Job/movie.mkv"))!;
        Assert.Equal((25_000L, files[0].Options.Date), (item.Size, item.Modified));
        var map = (await fixture.Maps.ReadAsync(item.ExtentMap!.Value, CancellationToken.None)).Map;
        var reader = fixture.Usenet.Open(map).OpenReader(0, map.Length, ReadIntent.Download);
        await using (reader)
        {
            var expected = new byte[25_000];
            files[0].Source.Fill(0, expected);
            var read = new List<byte>();
            while (await reader.NextAsync(CancellationToken.None) is { IsEmpty: false } lease)
            {
                read.AddRange(lease.Memory.Span);
                lease.Dispose();
            }

            Assert.Equal(expected, read);
        }
    }

    [Fact]
    public async Task Articles_fetched_by_the_import_are_cached_for_the_first_reader()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        await fixture.EnqueueAsync(fixture.Post("movie.mkv"));
        await fixture.RunAsync();
        var content = await fixture.Opener.OpenAsync((await fixture.FindAsync("content/movies/Job/movie.mkv"))!, CancellationToken.None);
        var (first, last) = (fixture.Mocks[0].Stats.ArticlesAsked, content.Length - 100);
        await ContentBytes.ReadAsync(content, 0, 100, ReadIntent.Probe, CancellationToken.None);
        await ContentBytes.ReadAsync(content, last, 100, ReadIntent.Probe, CancellationToken.None);
        Assert.Equal((2, 0), (first, fixture.Mocks[0].Stats.ArticlesAskedAgain));
        Assert.Equal(first, fixture.Mocks[0].Stats.ArticlesAsked);
    }

    [Fact]
    public async Task Large_maps_are_flushed_outside_the_thread_pool()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        await fixture.EnqueueAsync(fixture.PostWithLargeMaps(9));
        var threads = new ConcurrentBag<bool>();
        fixture.Blobs.WrapFile = file =>
        {
            threads.Add(Thread.CurrentThread.IsThreadPoolThread);
            return file;
        };
        Assert.Null((await fixture.RunAsync()).FailureMessage);
        Assert.Equal(Enumerable.Repeat(false, 9), threads);
    }

    [Fact]
    public async Task Missing_accessory_files_are_left_out_with_a_warning()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var files = fixture.Post("movie.mkv", "movie.NFO", "movie.vol0+1.par2");
        fixture.Mocks[0].Faults.Add(Fault.Missing, FaultTarget.Where(segment => segment.File != files[0]));
        await fixture.EnqueueAsync(files);
        Assert.Equal(JobState.Completed, (await fixture.RunAsync()).State);
        Assert.Equal(["movie.mkv"], await fixture.PublishedAsync());
        Assert.Equal(2, fixture.Log.Entries.Count(
            entry => entry.Level == LogLevel.Warning && entry.Message.StartsWith("Left out movie.", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task Missing_files_other_than_accessories_fail_the_job()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var files = fixture.Post("movie.mkv", "movie.srt", "movie.nfo");
        fixture.Mocks[0].Faults.Add(Fault.Missing, FaultTarget.File(files[1]));
        await fixture.EnqueueAsync(files);
        var job = await fixture.RunAsync();
        Assert.Equal((JobState.Failed, ImportFailure.Missing), (job.State, job.FailureCode));
        Assert.Contains("'movie.srt'", job.FailureMessage, StringComparison.Ordinal);
    }
}
