using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Catalog.Jobs;
using NzbDav.Fakes;
using NzbDav.Fakes.Archives;
using NzbDav.Fakes.Recovery;
using NzbDav.Import.Limits;
using NzbDav.Import.Progress;
using NzbDav.Import.Queue;
using NzbDav.Import.Tests.Corpus;
using NzbDav.MockUsenet.Faults;
using NzbDav.Usenet.Articles;
using static NzbDav.Import.Tests.Mending.MendedPost;

namespace NzbDav.Import.Tests.Steps;

/// <summary>Posts that lost articles and have recovery data are mended by the import and served to the byte.</summary>
public sealed class PostRepairTests
{
    private static readonly byte[] Film = PostShape.Film(31, 290_001);

    /// <summary>A third of the film: too much to publish it with holes.</summary>
    private static readonly PostShape Ruined = new()
    {
        Posted = WithRecovery([("film.mkv", Film)], 25),
        Gone = static segment => segment.File.Name == "film.mkv" && segment.Index % 3 == 1
    };

    [Theory]
    [InlineData(3, 9, 15, 21)]
    [InlineData(0, 7, 14)]
    [InlineData(41, 7, 14)]
    [InlineData(0, 41, 20)]
    public async Task A_post_that_lost_articles_is_repaired_and_served_byte_for_byte(params int[] gone)
    {
        await using var fixture = await ImportFixture.OpenAsync([new() { Name = "one" }, new() { Name = "two" }]);
        var job = await new PostShape
        {
            Posted = WithRecovery([("film.mkv", Film)], 9),
            Gone = segment => segment.File.Name == "film.mkv" && gone.Contains(segment.Index)
        }.RunAsync(fixture);
        Assert.Equal((JobState.Completed, null), (job.State, job.FailureMessage));
        Assert.Equal(gone.Length, fixture.Patches.Count);
        await fixture.AssertServedAsync("film.mkv", Film);

        // The restored article is on disk.
        var again = new PatchFolder(PatchFolder.In(fixture.Database.Options.ConfigFolder), NullLogger<PatchFolder>.Instance);
        Assert.Equal(gone.Length, again.Count);
    }

    [Fact]
    public async Task A_post_that_lost_too_much_fails_with_both_reasons()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var job = await new PostShape
        {
            Posted = WithRecovery([("film.mkv", Film)], 3),
            Gone = segment => segment.File.Name == "film.mkv" && segment.Index % 4 == 1
        }.RunAsync(fixture);
        Assert.Equal((JobState.Failed, ImportFailure.Missing), (job.State, job.FailureCode));
        Assert.Contains("Too many articles of this post are gone", job.FailureMessage, StringComparison.Ordinal);
        Assert.EndsWith("The recovery data cannot repair it: 19 slices are missing, and 3 recovery slices are there.", job.FailureMessage,
            StringComparison.Ordinal);
        Assert.Equal(0, fixture.Patches.Count);
    }

    [Fact]
    public async Task A_hole_too_small_to_refuse_a_post_is_repaired_too()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var job = await new PostShape
        {
            Posted = WithRecovery([("film.mkv", Film)], 2),
            Gone = segment => segment.File.Name == "film.mkv" && segment.Index == 20
        }.RunAsync(fixture);
        Assert.Equal((JobState.Completed, 1), (job.State, fixture.Patches.Count));
        Assert.Contains(job.Timings, timing => timing.Step == "repair");
        await fixture.AssertServedAsync("film.mkv", Film);
    }

    [Fact]
    public async Task Damaged_articles_are_restored_too()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        fixture.Mocks[0].Faults.Add(
            Fault.Corrupt, FaultTarget.Where(segment => segment.File.Name == "film.mkv" && segment.Index is 0 or 12));
        var job = await new PostShape { Posted = WithRecovery([("film.mkv", Film)], 6) }.RunAsync(fixture);
        Assert.Equal((JobState.Completed, null), (job.State, job.FailureMessage));
        await fixture.AssertServedAsync("film.mkv", Film);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    public async Task An_article_with_the_headers_of_a_volume_is_restored(int volume)
    {
        var volumes = PostShape.Named(new Rar5Writer { VolumeSize = 60_000 }.Write(new PackedFile("Film.mkv", Film)),
            count => VolumeNaming.Part("set", count)).ToArray();
        await using var fixture = await ImportFixture.OpenAsync();
        var job = await new PostShape
        {
            Posted = WithRecovery(volumes, 4),
            Gone = segment => segment.File.Name == volumes[volume].Name && segment.Index == 0
        }.RunAsync(fixture);
        Assert.Equal((JobState.Completed, null), (job.State, job.FailureMessage));
        await fixture.AssertServedAsync("Film.mkv", Film);
    }

    [Fact]
    public async Task A_volume_without_its_first_and_last_article_is_placed_by_its_name()
    {
        var volumes = PostShape.Named(new Rar5Writer { VolumeSize = 60_000 }.Write(new PackedFile("Film.mkv", Film)),
            count => VolumeNaming.Part("set", count)).ToArray();
        await using var fixture = await ImportFixture.OpenAsync();
        var job = await new PostShape
        {
            Posted = WithRecovery(volumes, 6),
            Gone = segment => segment.File.Name == volumes[1].Name
        }.RunAsync(fixture);
        Assert.Equal((JobState.Completed, null), (job.State, job.FailureMessage));
        await fixture.AssertServedAsync("Film.mkv", Film);
    }

    [Fact]
    public async Task A_hole_in_a_recovery_volume_costs_only_its_slice()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var job = await new PostShape
        {
            Posted = WithRecovery([("film.mkv", Film)], 6),
            Gone = segment =>
                segment.File.Name switch { "film.mkv" => segment.Index is 0 or 10, "set.vol0+6.par2" => segment.Index == 4, _ => false },
        }.RunAsync(fixture);
        Assert.Equal((JobState.Completed, null), (job.State, job.FailureMessage));
        await fixture.AssertServedAsync("film.mkv", Film);
    }

    [Fact]
    public async Task Damage_that_only_reading_shows_is_repaired_from_as_many_recovery_volumes_as_it_needs()
    {
        var writer = new Par2Writer { SliceSize = SliceSize }.Add("film.mkv", Film);
        await using var fixture = await ImportFixture.OpenAsync();
        await ImportAsync(fixture, [("film.mkv", Film), ("set.par2", writer.Index()),
            .. Enumerable.Range(0, 4).Select(i => ($"set.vol{3 * i}+3.par2", writer.Volume(3, first: 3 * i)))]);
        Spoil(fixture, "damaged", static segment => segment.File.Name == "film.mkv" && segment.Index is 5 or 15 or 25 or 35);
        Assert.Equal(Hash(Film), Hash(await ReadAsync(fixture, FilmPath)));
    }

    [Fact]
    public async Task A_recovery_volume_that_was_posted_twice_counts_once()
    {
        var writer = new Par2Writer { SliceSize = SliceSize }.Add("film.mkv", Film);
        var volume = writer.Volume(3);
        await using var fixture = await ImportFixture.OpenAsync();
        await ImportAsync(fixture, [("film.mkv", Film), ("set.par2", writer.Index()), ("set.vol0+3.par2", volume),
            ("again.vol0+3.par2", volume), ("set.vol3+2.par2", writer.Volume(2, first: 3))]);

        // Four slices are needed, and there are five.
        Spoil(fixture, "missing", static segment => segment.File.Name == "film.mkv" && segment.Index is 7 or 14 or 21 or 28);
        Assert.Equal(Hash(Film), Hash(await ReadAsync(fixture, FilmPath)));
    }

    [Fact]
    public async Task A_post_with_a_small_hole_is_published_although_its_repair_needs_too_much_memory()
    {
        await using var fixture = await ImportFixture.OpenAsync(memory: new RepairMemory(5_000));
        var job = await new PostShape
        {
            Posted = WithRecovery([("film.mkv", Film)], 2),
            Gone = segment => segment.File.Name == "film.mkv" && segment.Index == 20
        }.RunAsync(fixture);
        Assert.Equal((JobState.Completed, 0), (job.State, fixture.Patches.Count));
        Assert.Contains(
            fixture.Log.Entries, static entry => entry.Message.Contains("more than can be repaired at once", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_repair_that_does_not_fit_the_memory_is_made_in_stripes_and_leaves_no_file()
    {
        await using var fixture = await ImportFixture.OpenAsync(memory: new RepairMemory(100_000));
        var job = await Ruined.RunAsync(fixture);
        Assert.Equal((JobState.Completed, null), (job.State, job.FailureMessage));
        await fixture.AssertServedAsync("film.mkv", Film);
        Assert.Empty(Directory.GetFiles(PatchFolder.In(fixture.Database.Options.ConfigFolder)));
    }

    [Fact]
    public async Task A_post_with_a_small_hole_is_published_although_the_memory_runs_out_and_is_repaired_later()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        fixture.Log.Fault = static message =>
            message.StartsWith("Repairing: ", StringComparison.Ordinal) ? new OutOfMemoryException() : null;
        var job = await new PostShape
        {
            Posted = WithRecovery([("film.mkv", Film)], 2),
            Gone = segment => segment.File.Name == "film.mkv" && segment.Index == 20
        }.RunAsync(fixture);
        Assert.Equal((JobState.Completed, 0), (job.State, fixture.Patches.Count));
        Assert.Contains(fixture.Log.Entries, static entry => entry.Message.Contains("ran out of memory", StringComparison.Ordinal));
        await fixture.NewMendingOpener().OpenAsync((await fixture.FindAsync(FilmPath))!, CancellationToken.None);
        await Until.TrueAsync(() => fixture.Patches.Count == 1);
        Assert.Equal(Hash(Film), Hash(await ReadAsync(fixture, FilmPath)));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_post_whose_restored_articles_cannot_be_stored_fails_and_is_not_read_again(bool isNoticedLate)
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var folder = PatchFolder.In(fixture.Database.Options.ConfigFolder);
        if (isNoticedLate)
        {
            fixture.Patches.Free = path =>
            {
                Directory.Delete(path);
                File.WriteAllText(path, "in the way");
                return long.MaxValue;
            };
        }
        else
        {
            await File.WriteAllTextAsync(folder, "in the way");
        }

        var job = await Ruined.RunAsync(fixture);
        Assert.Equal((JobState.Failed, ImportFailure.Storage), (job.State, job.FailureCode));
        Assert.Contains(" The restored articles cannot be stored: ", job.FailureMessage, StringComparison.Ordinal);
        Assert.EndsWith(" Retry it once the cause is fixed.", job.FailureMessage, StringComparison.Ordinal);
        var read = Asked(fixture, "BODY");
        Assert.Equal(isNoticedLate, read > Film.Length / 7_000);
        fixture.Clock.Advance(TimeSpan.FromMinutes(10));
        Assert.Null(await fixture.Jobs.ClaimAsync("later", ImportWorker.Lease, CancellationToken.None));
        Assert.Equal(read, Asked(fixture, "BODY"));

        File.Delete(folder);
        fixture.Patches.Free = static _ => long.MaxValue;
        Assert.True(await fixture.Jobs.RetryAsync(job.Id, CancellationToken.None));
        Assert.Equal(JobState.Completed, (await fixture.RunAsync()).State);
        await fixture.AssertServedAsync("film.mkv", Film);
    }

    [Fact]
    public async Task A_post_is_not_read_when_the_disk_has_no_room_for_its_restored_articles()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        fixture.Patches.Free = static _ => (14 * 7_000) - 1;
        var job = await Ruined.RunAsync(fixture);
        Assert.Equal((JobState.Failed, ImportFailure.Storage), (job.State, job.FailureCode));
        Assert.Contains("and its disk has 0.1 MB left. Free some space.", job.FailureMessage, StringComparison.Ordinal);
        Assert.InRange(Asked(fixture, "BODY"), 1, Film.Length / 7_000);
        fixture.Patches.Free = static _ => 14 * 7_000;
        Assert.True(await fixture.Jobs.RetryAsync(job.Id, CancellationToken.None));
        Assert.Equal(JobState.Completed, (await fixture.RunAsync()).State);
    }

    [Fact]
    public async Task A_post_is_not_read_when_the_disk_has_no_room_for_a_repair_in_stripes()
    {
        // Slices and articles lie on the disk for a while.
        var slices = Enumerable.Range(0, 14).Select(static i => ((3 * i) + 1) * 7_000)
            .SelectMany(static start => new[] { start / SliceSize, (start + 6_999) / SliceSize }).Distinct().Count();
        await using var fixture = await ImportFixture.OpenAsync(memory: new RepairMemory(100_000));
        fixture.Patches.Free = _ => (14 * 7_000) + (slices * SliceSize) - 1;
        var job = await Ruined.RunAsync(fixture);
        Assert.Equal((JobState.Failed, ImportFailure.Storage), (job.State, job.FailureCode));
        Assert.InRange(Asked(fixture, "BODY"), 1, Film.Length / 7_000);
        fixture.Patches.Free = _ => (14 * 7_000) + (slices * SliceSize);
        Assert.True(await fixture.Jobs.RetryAsync(job.Id, CancellationToken.None));
        Assert.Equal(JobState.Completed, (await fixture.RunAsync()).State);
    }

    [Fact]
    public async Task A_complete_post_is_not_repaired()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var job = await new PostShape { Posted = WithRecovery([("film.mkv", Film)], 2) }.RunAsync(fixture);
        Assert.Equal((JobState.Completed, 0), (job.State, fixture.Patches.Count));
        Assert.DoesNotContain(job.Timings, timing => timing.Step == "repair");
    }
}
