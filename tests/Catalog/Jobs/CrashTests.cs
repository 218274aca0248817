using System.Diagnostics;
using System.Globalization;
#if !POSTGRES
using NzbDav.Catalog.Database;
#endif
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

#if !POSTGRES
    /// <summary>The files are copied before each statement, as a kill would leave them there: what was written is in the page cache, which
    /// outlives a process.</summary>
    [Fact]
    public async Task The_files_before_any_statement_hold_nothing_and_after_the_last_everything()
    {
        var clock = CatalogFixture.NewClock();
        var states = new List<string>();
        var folder = CatalogFixture.NewFolder();
        long job;
        await using (var catalog = await CatalogFixture.OpenAsync(folder, clock, ownsFolder: true))
        {
            job = (await catalog.EnqueueAsync()).Id;
            var claimed = await catalog.ClaimAsync();
            var publication = await PublicationAsync(catalog);
            catalog.Database.BeforeStatement = _ => Fork();
            Assert.NotNull(await catalog.Jobs.PublishAsync(claimed, publication, CancellationToken.None));
            catalog.Database.BeforeStatement = null;
            await catalog.Database.WriteAsync(_ => Fork(), WriteKind.Exclusive, CancellationToken.None);
        }

        Assert.InRange(states.Count, 10, 60);
        foreach (var state in states)
        {
            await using var catalog = await CatalogFixture.OpenAsync(state, clock, ownsFolder: true);
            await AssertKilledAsync(catalog, job, isWhole: state == states[^1]);
        }

        // By another process: closing a file releases the locks that this one has on it.
        int Fork()
        {
            states.Add(CatalogFixture.NewFolder());
            using var cp = Process.Start("cp", ["-r", folder + "/.", states[^1]]);
            cp.WaitForExit();
            Assert.Equal(0, cp.ExitCode);
            return 0;
        }
    }

#endif
    [Fact]
    public async Task A_kill_before_a_statement_publishes_nothing_and_after_the_last_everything()
    {
        var clock = CatalogFixture.NewClock();
        var folder = CatalogFixture.NewFolder();
        long job;
        await using (var catalog = await CatalogFixture.OpenAsync(folder, clock, ownsFolder: false))
            job = (await catalog.EnqueueAsync()).Id;

        foreach (var statement in (int[])[0, 8, int.MaxValue])
        {
            Assert.Equal(statement == int.MaxValue, await RunChildAsync(folder, statement));
            await using var catalog = await CatalogFixture.OpenAsync(folder, clock, ownsFolder: false);
            await AssertKilledAsync(catalog, job, isWhole: statement == int.MaxValue);
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

    /// <summary>Asserts that a sound catalog has all of the job or nothing, and that the job can run again.</summary>
    private static async Task AssertKilledAsync(CatalogFixture catalog, long job, bool isWhole)
    {
        Assert.Empty(await catalog.Database.CheckIntegrityAsync(CancellationToken.None));
        if (isWhole)
        {
            await AssertWholeAsync(catalog, job);
            return;
        }

        await AssertNothingAsync(catalog, job);
        var lost = await catalog.Jobs.GetAsync(job, CancellationToken.None);
        Assert.True(await catalog.Jobs.RequeueAsync(lost!, TimeSpan.Zero, CancellationToken.None));
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
