using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Opening;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Tests.Jobs;

/// <summary>What migration 2 added: timings, content hash, pause, encryption.</summary>
public class ImportColumnsTests
{
    private static readonly StepTiming[] Timings = [new("parse", TimeSpan.FromMicroseconds(1234)), new("probe", TimeSpan.FromSeconds(3))];

    [Fact]
    public async Task Timings_are_stored_with_published_and_with_failed_jobs()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.EnqueueAsync();
        var job = await catalog.ClaimAsync();
        Assert.Empty(job.Timings);
        await catalog.Jobs.PublishAsync(
            job, new JobPublication { Files = [await catalog.FileAsync("a")], Timings = Timings }, CancellationToken.None);
        Assert.Equal(Timings, (await catalog.Jobs.GetAsync(job.Id, CancellationToken.None))!.Timings);
        await catalog.EnqueueAsync();
        job = await catalog.ClaimAsync();
        await catalog.Jobs.FailAsync(job, "x", "y", Timings, CancellationToken.None);
        Assert.Equal(Timings, (await catalog.Jobs.GetAsync(job.Id, CancellationToken.None))!.Timings);
    }

    [Fact]
    public void Malformed_timings_are_skipped() =>
        Assert.Equal([new StepTiming("b", TimeSpan.FromMicroseconds(5))], StepTiming.Parse("a:x,b:5,c,:7,d:-1,e:99999999999999999999"));

    [Fact]
    public async Task Jobs_are_found_by_content_hash()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        using var nzb = new MemoryStream([1]);
        var job = await catalog.Jobs.EnqueueAsync(new NewJob
        {
            Name = "a",
            Category = "tv",
            Source = JobSource.Folder,
            ContentHash = "abc",
            Paused = true
        }, nzb, CancellationToken.None);
        await catalog.EnqueueAsync();
        Assert.Equal((JobSource.Folder, "abc", true), (job.Source, job.ContentHash, job.Paused));
        var found = new List<CatalogJob>();
        await foreach (var one in catalog.Jobs.List.EachAsync(new JobFilter { ContentHash = "abc" }, CancellationToken.None))
            found.Add(one);
        Assert.Equal([job], found);
        Assert.Equal(1, (await catalog.Jobs.List.CountAsync(new JobFilter { ContentHash = "abc" }, CancellationToken.None)).Total);
    }

    [Fact]
    public async Task A_paused_job_is_not_claimed_until_it_is_resumed()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var job = await catalog.EnqueueAsync();
        var running = await catalog.ClaimAsync();
        var changes = new List<JobChange>();
        catalog.Jobs.Changed += changes.Add;
        Assert.True(await catalog.Jobs.PauseAsync(job.Id, CancellationToken.None));
        Assert.False(await catalog.Jobs.RenewAsync(running, TimeSpan.FromMinutes(1), CancellationToken.None));
        Assert.Null(await catalog.Jobs.ClaimAsync("other", TimeSpan.FromMinutes(1), CancellationToken.None));
        Assert.True(await catalog.Jobs.ResumeAsync(job.Id, CancellationToken.None));
        Assert.Equal([new JobChange(job.Id, JobState.Queued), new JobChange(job.Id, JobState.Queued)], changes);
        Assert.False(await catalog.Jobs.ResumeAsync(job.Id, CancellationToken.None));
        Assert.Equal(2, (await catalog.ClaimAsync()).Attempts);
        Assert.False(await catalog.Jobs.PauseAsync(12345, CancellationToken.None));
    }

    [Fact]
    public async Task Encryption_round_trips_and_is_never_logged()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var key = Enumerable.Range(1, 32).Select(i => (byte)i).ToArray();
        var iv = Enumerable.Range(100, 16).Select(i => (byte)i).ToArray();
        var encryption = new FileEncryption([new StoredSpan(64, 5, 50, key, iv), new StoredSpan(7, 0, 7, default, default)]);
        await catalog.EnqueueAsync();
        var file = await catalog.FileAsync("a") with { Size = 57, Encryption = encryption };
        await catalog.Jobs.PublishAsync(
            await catalog.ClaimAsync(), new JobPublication { Files = [file, await catalog.FileAsync("plain")] }, CancellationToken.None);
        var stored = (await catalog.ResolveAsync("content/movies/Movie.2020/a"))!.Encryption!;
        Assert.Equal(
            [(64L, 5L, 50L, Convert.ToHexString(key), Convert.ToHexString(iv)), (7, 0, 7, "", "")],
            stored.Spans.Select(
                span => (span.Stored, span.Skip, span.Length, Convert.ToHexString(span.Key.Span), Convert.ToHexString(span.Iv.Span))));
        Assert.Null((await catalog.ResolveAsync("content/movies/Movie.2020/plain"))!.Encryption);
        Assert.DoesNotContain("0102", $"{stored} {stored.Spans[0]}", StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0, 0, 0, 0, 0)]
    [InlineData(16, 0, 17, 16, 16)]
    [InlineData(16, 10, 7, 16, 16)]
    [InlineData(15, 0, 15, 16, 16)]
    [InlineData(16, 0, 16, 15, 16)]
    [InlineData(16, 0, 16, 16, 15)]
    [InlineData(16, 1, 15, 0, 0)]
    [InlineData(16, 0, 15, 0, 0)]
    [InlineData(16, -1, 15, 16, 16)]
    public void An_invalid_encrypted_span_is_refused(long stored, long skip, long length, int key, int iv) =>
        Assert.ThrowsAny<ArgumentException>(() => new StoredSpan(stored, skip, length, new byte[key], new byte[iv]));

    [Fact]
    public async Task Jobs_of_the_previous_version_have_no_timings_hash_or_pause()
    {
        using var folder = new ConfigFolder();
        await using (var before = await CatalogOpening.OpenAsync(
            folder.Options, TimeProvider.System, [.. MigrationRunner.Embedded(TestEngine.Name).Take(1)], CancellationToken.None))
        {
            await before.WriteAsync(
                transaction =>
                    transaction.Execute(
                    "INSERT INTO jobs (id, name, category, state, priority, source, nzb_size, created) VALUES (7, 'a', 'tv', 'queued', " +
                    "0, 'dav', 0, 1)", null), CancellationToken.None);
        }

        await using var database = await CatalogOpening.OpenAsync(folder.Options, TimeProvider.System, CancellationToken.None);
        var blobs = new BlobStore(folder.Options, TimeProvider.System);
        var job = (await new JobStore(database, blobs, new BlobCollector(database, blobs))
            .ClaimAsync("a", TimeSpan.FromMinutes(1), CancellationToken.None))!;
        Assert.Equal((7L, false, null, 0), (job.Id, job.Paused, job.ContentHash, job.Timings.Count));
    }
}
