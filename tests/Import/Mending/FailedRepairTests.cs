using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Import.Repair;
using static NzbDav.Import.Tests.Mending.MendedPost;

namespace NzbDav.Import.Tests.Mending;

/// <summary>Failed repairs: readers get the reason, and nothing is read in vain a second time.</summary>
public sealed class FailedRepairTests
{
    [Fact]
    public async Task A_failed_repair_ends_the_read_with_both_reasons_and_is_retried_after_hours_or_with_other_providers()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        await ImportAsync(fixture, WithRecovery([("film.mkv", Film)], 1));
        Spoil(fixture, "missing", static segment => segment.File.Name == "film.mkv" && segment.Index is 10 or 20 or 30);
        for (var read = 0; read < 2; read++)
        {
            var error = await Assert.ThrowsAsync<ContentException>(() => ReadAsync(fixture, FilmPath));
            Assert.Equal(ContentFault.Missing, error.Fault);
            Assert.Contains("The recovery data cannot repair it: ", error.Message, StringComparison.Ordinal);
            Assert.EndsWith("slices are missing, and 1 recovery slices are there.", error.Message, StringComparison.Ordinal);
        }

        Assert.Equal(1, Times(fixture, "could not be repaired"));
        Assert.EndsWith("recovery slices are there.", fixture.Posts.DescribeState((await fixture.FindAsync(FilmPath))!),
            StringComparison.Ordinal);
        fixture.Clock.Advance(PostRepairer.FailedFor);
        await Assert.ThrowsAsync<ContentException>(() => ReadAsync(fixture, FilmPath));
        Assert.Equal(2, Times(fixture, "could not be repaired"));

        fixture.Mocks[0].Faults.Clear();
        Spoil(fixture, "missing", static segment => segment.File.Name == "film.mkv" && segment.Index is 10);
        fixture.Usenet.SetProviders([.. fixture.Usenet.Providers.Select(static provider => provider.Options with { MaxConnections = 3 })]);
        await Assert.ThrowsAsync<ContentException>(() => ReadAsync(fixture, FilmPath));
        Assert.Equal(3, Times(fixture, "could not be repaired"));
    }

    [Fact]
    public async Task A_repair_without_enough_recovery_data_is_not_read_for_again_even_after_a_restart()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        await ImportAsync(fixture, WithRecovery([("film.mkv", Film)], 1));
        Spoil(fixture, "missing", static segment => segment.File.Name == "film.mkv" && segment.Index is 10 or 20 or 30);
        var item = (await fixture.FindAsync(FilmPath))!;
        var before = fixture.Mocks.Max(static mock => mock.Stats.ArticlesAsked);
        Assert.Equal(
            RepairWaitState.Failed,
            (await fixture.Posts.RepairAsync(item, await IdOfAsync(fixture, item, 10), CancellationToken.None)).State);
        var failure = await fixture.Posts.FindFailureAsync(item, CancellationToken.None);
        Assert.EndsWith("slices are missing, and 1 recovery slices are there.", failure!.Reason, StringComparison.Ordinal);

        // So far no slice of the film was read: the available recovery data can be counted without.
        var fetched = fixture.Mocks.Max(static mock => mock.Stats.ArticlesAsked) - before;
        Assert.True(fetched < Film.Length / 7_000 / 2, $"{fetched} articles were fetched");
        await Assert.ThrowsAsync<ContentException>(() => ReadAsync(fixture, FilmPath));

        await using var restarted = fixture.NewPosts();
        Assert.Equal(failure, await restarted.FindFailureAsync(item, CancellationToken.None));

        // What the reader had asked for ahead is still on its way.
        await Until.TrueAsync(() => fixture.Usenet.QueuedRequests + fixture.Usenet.RequestsOnWire == 0);
        var (bodies, stats) = (Asked(fixture, "BODY"), Asked(fixture, "STAT"));
        for (var read = 0; read < 3; read++)
        {
            var outcome = await restarted.RepairAsync(item, await IdOfAsync(fixture, item, 10), CancellationToken.None);
            Assert.Equal((RepairWaitState.Failed, failure.Reason), (outcome.State, outcome.Reason));
        }

        Assert.Equal((bodies, stats), (Asked(fixture, "BODY"), Asked(fixture, "STAT")));
        Assert.Equal(failure.Reason, restarted.DescribeState(item));
        Assert.Equal(1, Times(fixture, "could not be repaired"));

        // The repair is retried hours later, and with other providers.
        fixture.Clock.Advance(PostRepairer.FailedFor);
        Assert.Null(await restarted.FindFailureAsync(item, CancellationToken.None));
        await using (var later = fixture.NewPosts())
            Assert.Equal(
                RepairWaitState.Failed, (await later.RepairAsync(item, await IdOfAsync(fixture, item, 10), CancellationToken.None)).State);
        Assert.Equal(2, Times(fixture, "could not be repaired"));
        fixture.Mocks[0].Faults.Clear();
        fixture.Usenet.SetProviders(
            [.. fixture.Usenet.Providers.Select(static provider => provider.Options with { Username = "another", Password = "one" })]);
        await using var other = fixture.NewPosts();
        Assert.Null(await other.FindFailureAsync(item, CancellationToken.None));
    }

    [Fact]
    public async Task A_repair_that_a_provider_s_silence_or_the_stop_of_the_server_ended_is_told_as_passing()
    {
        await using var fixture = await ImportFixture.OpenAsync(
            [new() { Name = "one" }, new() { Name = "two", Username = "me", Password = "right" }]);
        await ImportAsync(fixture, WithRecovery([("film.mkv", Film)], 1));
        Spoil(fixture, "missing", static segment => segment.File.Name == "film.mkv" && segment.Index is 10 or 20 or 30);
        var item = (await fixture.FindAsync(FilmPath))!;
        var silent = await fixture.Posts.RepairAsync(item, await IdOfAsync(fixture, item, 10), CancellationToken.None);
        Assert.Equal((RepairWaitState.Failed, true), (silent.State, silent.IsTransient));

        // It is tried again a minute later, and then two minutes after that.
        foreach (var (minutes, times) in new[] { (0, 1), (1, 2), (1, 2), (1, 3) })
        {
            fixture.Clock.Advance(TimeSpan.FromMinutes(minutes));
            Assert.True((await fixture.Posts.RepairAsync(item, await IdOfAsync(fixture, item, 10), CancellationToken.None)).IsTransient);
            Assert.Equal(times, Times(fixture, "could not be repaired"));
        }

        var stopped = fixture.NewPosts();
        await stopped.DisposeAsync();
        var ended = await stopped.RepairAsync(item, await IdOfAsync(fixture, item, 10), CancellationToken.None);
        Assert.Equal((RepairWaitState.Failed, true), (ended.State, ended.IsTransient));

        fixture.Usenet.SetProviders([fixture.Usenet.Providers[0].Options]);
        var final = await fixture.Posts.RepairAsync(item, await IdOfAsync(fixture, item, 10), CancellationToken.None);
        Assert.Equal((RepairWaitState.Failed, false), (final.State, final.IsTransient));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_repair_that_an_exception_ended_is_told_as_failed_and_the_next_one_starts(bool isMemory)
    {
        Exception error = isMemory ? new OutOfMemoryException("no memory") : new InvalidOperationException("no state");
        await using var fixture = await ImportFixture.OpenAsync();
        await ImportAsync(fixture, WithRecovery([("film.mkv", Film)], 3));
        Spoil(fixture, "missing", static segment => segment.File.Name == "film.mkv" && segment.Index == 20);
        var item = (await fixture.FindAsync(FilmPath))!;
        fixture.PostsLog.Fault = message => message.Contains("is being repaired", StringComparison.Ordinal) ? error : null;
        var outcome = await MendAsync(fixture, item, 20);
        Assert.Equal((RepairWaitState.Failed, $"An unexpected error ended its repair: {error.Message}", false),
            (outcome.State, outcome.Reason, outcome.IsTransient));
        Assert.Equal(outcome.Reason, fixture.Posts.DescribeState(item));
        Assert.Equal(1, Times(fixture, "An unexpected error ended the repair of film.mkv."));

        fixture.PostsLog.Fault = null;
        fixture.Clock.Advance(PostRepairer.FailedFor);
        Assert.Equal(Hash(Film), Hash(await ReadAsync(fixture, FilmPath)));
        Assert.Null(fixture.Posts.DescribeState(item));
    }

    [Fact]
    public async Task A_repair_whose_end_cannot_be_noted_has_ended_as_well()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        await ImportAsync(fixture, WithRecovery([("film.mkv", Film)], 1));
        Spoil(fixture, "missing", static segment => segment.File.Name == "film.mkv" && segment.Index is 10 or 20 or 30);
        var item = (await fixture.FindAsync(FilmPath))!;
        fixture.PostsLog.Fault = static message =>
            message.Contains("could not be repaired", StringComparison.Ordinal) ? new OutOfMemoryException() : null;
        var outcome = await MendAsync(fixture, item, 20);
        Assert.Equal((RepairWaitState.Failed, "An unexpected error ended its repair."), (outcome.State, outcome.Reason));
        Assert.Equal(1, Times(fixture, "An unexpected error ended the repair of film.mkv."));
    }

    [Fact]
    public async Task A_post_without_recovery_data_is_reported_as_such()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        await ImportAsync(fixture, [("film.mkv", Film)]);
        Spoil(fixture, "missing", static segment => segment.Index == 20);
        var error = await Assert.ThrowsAsync<ContentException>(() => ReadAsync(fixture, FilmPath));
        Assert.EndsWith("Its post has no recovery data.", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Nothing_is_repaired_when_repairs_are_switched_off()
    {
        await using var fixture = await ImportFixture.OpenAsync(rules: ImportFixture.Options with { RepairsReads = false });
        await ImportAsync(fixture, WithRecovery([("film.mkv", Film)], 3));
        Spoil(fixture, "missing", static segment => segment.File.Name == "film.mkv" && segment.Index == 20);
        var error = await Assert.ThrowsAsync<ContentException>(() => ReadAsync(fixture, FilmPath));
        Assert.Equal((ContentFault.Missing, 0), (error.Fault, fixture.Patches.Count));
        Assert.Empty(fixture.PostsLog.Entries);
    }

    /// <summary>Fails, instead of waiting without end, if the mending never ends: no clock goes on here.</summary>
    private static async Task<RepairWaitOutcome> MendAsync(ImportFixture fixture, CatalogItem item, int segment)
    {
        var mending = fixture.Posts.RepairAsync(item, await IdOfAsync(fixture, item, segment), CancellationToken.None).AsTask();
        await Until.TrueAsync(() => mending.IsCompleted);
        return await mending;
    }
}
