using System.Diagnostics;
using System.Globalization;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Tests.Jobs;

/// <summary>Whatever stops a publication, either the whole job is there or nothing of it.</summary>
public class CrashTests
{
    private static readonly string[] Paths = ["movie.mkv", "subs/en.srt"];

    [Fact]
    public async Task A_failure_before_any_statement_publishes_nothing()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.EnqueueAsync();
        var job = await catalog.ClaimAsync();
        var publication = await PublicationAsync(catalog);
        var failures = 0;
        CatalogItem? item = null;
        while (item is null)
        {
            var left = failures;
            catalog.Database.BeforeStatement = _ =>
            {
                if (left-- == 0)
                    throw new TimeoutException();
            };
            try
            {
                item = await catalog.Jobs.PublishAsync(job, publication, CancellationToken.None);
            }
            catch (TimeoutException)
            {
                failures++;
                catalog.Database.BeforeStatement = null;
                await AssertNothingAsync(catalog, job.Id);
            }
        }

        catalog.Database.BeforeStatement = null;
        Assert.InRange(failures, 10, 60);
        await AssertWholeAsync(catalog, job.Id);
    }

    [Fact]
    public async Task A_kill_before_any_statement_publishes_nothing_and_after_the_last_everything()
    {
        var clock = new SteppedClock();
        var folder = CatalogFixture.NewFolder();
        long job;
        await using (var catalog = await CatalogFixture.OpenAsync(folder, clock, ownsFolder: false))
            job = (await catalog.EnqueueAsync()).Id;

        var published = false;
        for (var statement = 0; !published; statement++)
        {
            Assert.InRange(statement, 0, 60);
            published = await RunChildAsync(folder, statement);
            await using var catalog = await CatalogFixture.OpenAsync(folder, clock, ownsFolder: false);
            Assert.Empty(await catalog.Database.CheckIntegrityAsync(CancellationToken.None));
            if (published)
            {
                await AssertWholeAsync(catalog, job);
            }
            else
            {
                await AssertNothingAsync(catalog, job);
                var lost = await catalog.Jobs.GetAsync(job, CancellationToken.None);
                Assert.True(await catalog.Jobs.ReleaseAsync(lost!, TimeSpan.Zero, CancellationToken.None));
            }
        }

        Directory.Delete(folder, recursive: true);
    }

    internal static async Task<JobPublication> PublicationAsync(CatalogFixture catalog)
    {
        var files = new List<PublishedFile>();
        foreach (var path in Paths)
            files.Add(await catalog.FileAsync(path));
        return new JobPublication { Files = files };
    }

    private static async Task AssertNothingAsync(CatalogFixture catalog, long job)
    {
        Assert.Null(await catalog.ResolveAsync("content/movies/Movie.2020"));
        Assert.Empty(await catalog.Tree.ListByJobAsync(job, CancellationToken.None));
        Assert.Equal(JobState.Running, (await catalog.Jobs.GetAsync(job, CancellationToken.None))!.State);
    }

    private static async Task AssertWholeAsync(CatalogFixture catalog, long job)
    {
        foreach (var path in Paths)
        {
            var item = await catalog.ResolveAsync("content/movies/Movie.2020/" + path);
            Assert.Equal((await catalog.Maps.ReadAsync(item!.ExtentMap!.Value, CancellationToken.None)).Map.Length, item.Size);
        }

        Assert.Equal(JobState.Completed, (await catalog.Jobs.GetAsync(job, CancellationToken.None))!.State);
    }

    private static async Task<bool> RunChildAsync(string folder, int statement)
    {
        var start = new ProcessStartInfo("dotnet") { RedirectStandardOutput = true, RedirectStandardError = true, UseShellExecute = false };
        start.ArgumentList.Add(typeof(CrashTests).Assembly.Location);
        start.ArgumentList.Add(Program.Mortal);
        start.ArgumentList.Add(folder);
        start.ArgumentList.Add(statement.ToString(CultureInfo.InvariantCulture));
        using var child = Process.Start(start)!;
        var errors = child.StandardError.ReadToEndAsync();
        var output = await child.StandardOutput.ReadToEndAsync();
        await child.WaitForExitAsync();

        // 128 + SIGKILL: any other code means that the child did not die as intended.
        Assert.True(child.ExitCode == 137, $"exit {child.ExitCode}: {await errors}");
        return output.Contains("published", StringComparison.Ordinal);
    }
}
