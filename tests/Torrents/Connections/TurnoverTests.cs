using NzbDav.Torrents.Connections;

namespace NzbDav.Torrents.Tests.Connections;

/// <summary>Which connections of a full torrent are closed for newcomers.</summary>
public sealed class TurnoverTests
{
    private const long Second = TimeSpan.TicksPerSecond;

    private static readonly Newcomers Many = new(100, 50);

    [Fact]
    public void Useless_connections_are_closed_by_kind_and_then_by_priority()
    {
        var turnover = new Turnover();
        ConnectionRating[] standings =
        [
            Standing(ConnectionUse.Wanted, 1), Standing(ConnectionUse.Indifferent, 2), Standing(ConnectionUse.Snubbed, 9),
            Standing(ConnectionUse.Snubbed, 3),
            Standing(ConnectionUse.BothUpload, 99), Standing(ConnectionUse.ServesReader, 0),
        ];
        Assert.Equal([4, 3, 2, 1], Choose(turnover, standings, Many, 60));
        Assert.Equal([4], Choose(new Turnover(), standings, Many with { Count = 1 }, 60));
        Assert.Equal([4, 3], Choose(new Turnover(), standings, Many with { Count = 2 }, 60));
        Assert.Empty(Choose(new Turnover(), standings, default, 60));
    }

    [Fact]
    public void While_seeding_the_lowest_priority_is_closed_but_only_for_a_newcomer_with_a_higher_one()
    {
        var turnover = new Turnover();
        ConnectionRating[] standings = [
            Standing(ConnectionUse.Wanted, 30), Standing(ConnectionUse.Wanted, 20), Standing(ConnectionUse.Wanted, 40)];
        Assert.Empty(Choose(turnover, standings, new Newcomers(1, 20), 60, isSeeding: true));
        Assert.Empty(Choose(turnover, standings, new Newcomers(1, 20), 120, isSeeding: true));
        Assert.Equal([1], Choose(turnover, standings, new Newcomers(1, 21), 121, isSeeding: true));
    }

    [Fact]
    public void While_fetching_the_slowest_is_closed_and_among_equals_the_lowest_priority()
    {
        var turnover = new Turnover();
        ConnectionRating[] standings = [
            Standing(ConnectionUse.Wanted, 1) with { RecentPayload = 5 }, Standing(ConnectionUse.Wanted, 8),
            Standing(ConnectionUse.Wanted, 7)];
        Assert.Empty(Choose(turnover, standings, Many, 60));
        Assert.Equal([2], Choose(turnover, standings, Many, 90));
        Assert.Empty(Choose(turnover, standings, Many, 119));
        Assert.Equal([2], Choose(turnover, standings, Many, 120));
    }

    [Fact]
    public void A_connection_that_serves_a_reader_or_is_on_trial_stays()
    {
        var turnover = new Turnover();
        ConnectionRating[] standings = [Standing(ConnectionUse.ServesReader, 0), Standing(ConnectionUse.Wanted, 0)
            with { Joined = 100 * Second }, Standing(ConnectionUse.Indifferent, 0) with { Joined = 100 * Second }];
        Choose(turnover, standings, Many, 0);
        Assert.Empty(Choose(turnover, standings, Many, 129));
        Assert.Equal([2], Choose(turnover, standings, Many, 130));
        Assert.Equal([1], Choose(turnover, standings[..2], Many, 160));
        Assert.Empty(Choose(turnover, standings[..1], Many, 1_000));
    }

    [Fact]
    public void At_most_sixteen_connections_are_closed_per_minute()
    {
        var turnover = new Turnover();
        var standings = Enumerable.Repeat(Standing(ConnectionUse.BothUpload, 1), 100).ToArray();
        Assert.Equal([8, 8, 0, 0], Enumerable.Range(60, 4).Select(second => Choose(turnover, standings, Many, second).Count));
        Assert.Empty(Choose(turnover, standings, Many, 119));
        Assert.Equal(8, Choose(turnover, standings, Many, 120).Count);
    }

    [Fact]
    public void No_useful_connection_is_closed_when_only_the_engine_is_full()
    {
        var turnover = new Turnover();
        ConnectionRating[] standings = [Standing(ConnectionUse.Wanted, 0), Standing(ConnectionUse.Snubbed, 0)];
        Choose(turnover, standings[..1], Many, 60);
        Assert.Empty(turnover.Choose(standings[..1], Many, isSeeding: false, uselessOnly: true, 200 * Second));
        Assert.Equal([1], turnover.Choose(standings, Many, isSeeding: false, uselessOnly: true, 200 * Second));
    }

    private static ConnectionRating Standing(ConnectionUse use, uint priority) => new(use, priority, RecentPayload: 0, Joined: 0);

    private static IReadOnlyList<int> Choose(
        Turnover turnover, ConnectionRating[] standings, Newcomers newcomers, int second, bool isSeeding = false) =>
        turnover.Choose(standings, newcomers, isSeeding, uselessOnly: false, second * Second);
}
