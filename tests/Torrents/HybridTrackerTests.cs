using System.Collections.Specialized;
using System.Text;
using System.Web;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Tracking;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Status;
using static NzbDav.Torrents.Tests.HybridTests;

namespace NzbDav.Torrents.Tests;

/// <summary>What trackers are told of the two names of a hybrid torrent (BEP 52).</summary>
public sealed class HybridTrackerTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_tracker_and_a_seeder_that_know_the_alias_alone_are_enough(bool isLink)
    {
        await using var swarm = NewSwarm(byAlias: true);
        swarm.Tracker.Names = [swarm.Torrent.Alias];
        await using var fixture = new SwarmFixture(swarm);
        var torrent = isLink
            ? fixture.Engine.Add(Link(swarm.Torrent, swarm.Tracker.Url)) : fixture.Engine.Add(File(swarm.Torrent, swarm.Tracker.Url));
        await fixture.ReadAsync(torrent, 0, Size);
        await Until.TrueAsync(() => torrent.GetDetails().Trackers is [{ State: TrackerState.Working, Message: null }]);
        Assert.Equal(PeerSources.Tracker, Assert.Single(torrent.GetDetails().Peers).Sources);
        await Until.TrueAsync(() => Told(swarm.Tracker, swarm.Torrent.Alias).Length == 2);
        await torrent.DisposeAsync();
        Assert.Equal(["started", "completed", "stopped"], Told(swarm.Tracker, swarm.Torrent.Alias).Select(static told => told["event"]));
    }

    [Fact]
    public async Task A_link_without_the_alias_announces_it_once_it_is_described()
    {
        await using var swarm = NewSwarm(byAlias: false);
        swarm.Tracker.Names = [swarm.Torrent.Hash, swarm.Torrent.Alias];
        await using var fixture = new SwarmFixture(swarm);
        var torrent = fixture.Engine.Add(MagnetLink.Read(swarm.Torrent.Magnet([], [swarm.Tracker.Url])).Value!);
        await torrent.DescribeAsync(default);
        await Until.TrueAsync(() => Told(swarm.Tracker, swarm.Torrent.Alias).Length == 1);

        // The first announce is not repeated for it.
        Assert.Equal(["started"], Told(swarm.Tracker, swarm.Torrent.Hash).Select(static told => told["event"]));
    }

    [Fact]
    public async Task Both_names_are_told_what_is_left_and_the_first_alone_what_was_sent_and_received()
    {
        await using var swarm = NewSwarm(byAlias: false);
        swarm.Tracker.Names = [swarm.Torrent.Hash, swarm.Torrent.Alias];
        await using (var fixture = new SwarmFixture(swarm))
        {
            var torrent = fixture.Engine.Add(File(swarm.Torrent, swarm.Tracker.Url));
            await fixture.ReadAsync(torrent, 0, Size);
            await Until.TrueAsync(() => swarm.Tracker.Announces.Count == 4);
        }

        foreach (var name in swarm.Tracker.Names)
        {
            var told = Told(swarm.Tracker, name);
            Assert.Equal(["started", "completed", "stopped"], told.Select(static told => told["event"]));
            Assert.Equal(["1000000", "0", "0"], told.Select(static told => told["left"]));
        }

        Assert.Equal(["0", "1000000", "1000000"], Told(swarm.Tracker, swarm.Torrent.Hash).Select(static told => told["downloaded"]));
        Assert.Equal(["0", "0", "0"], Told(swarm.Tracker, swarm.Torrent.Alias).Select(static told => told["downloaded"]));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task The_tracker_of_a_private_torrent_is_told_one_name(bool isLink)
    {
        await using var swarm = NewSwarm(byAlias: false, isPrivate: true);
        swarm.Tracker.Names = [swarm.Torrent.Hash, swarm.Torrent.Alias];
        await using (var fixture = new SwarmFixture(swarm))
        {
            var torrent = isLink
                ? fixture.Engine.Add(Link(swarm.Torrent, swarm.Tracker.Url)) : fixture.Engine.Add(File(swarm.Torrent, swarm.Tracker.Url));
            await fixture.ReadAsync(torrent, 0, Size);
            await Until.TrueAsync(() => Told(swarm.Tracker, swarm.Torrent.Hash).Length == 2);

            // A link does not say that it is private.
            await Until.TrueAsync(() => Told(swarm.Tracker, swarm.Torrent.Alias).Length == (isLink ? 2 : 0));
        }

        Assert.Equal(["started", "completed", "stopped"], Told(swarm.Tracker, swarm.Torrent.Hash).Select(static told => told["event"]));
        Assert.Equal(isLink ? ["started", "stopped"] : [], Told(swarm.Tracker, swarm.Torrent.Alias).Select(static told => told["event"]));
    }

    [Fact]
    public async Task A_tracker_that_refuses_the_alias_for_good_is_not_told_it_again_and_works()
    {
        await using var swarm = NewSwarm(byAlias: false);
        swarm.Tracker.Reply = target => swarm.Torrent.Alias.Span.SequenceEqual(NameOf(target.Split('?')[1]))
            ? ("200 OK", "", "d14:failure reason12:unregistered8:retry in5:nevere"u8.ToArray()) : null;
        await using var fixture = new SwarmFixture(swarm);
        var torrent = fixture.Engine.Add(File(swarm.Torrent, swarm.Tracker.Url));
        await fixture.ReadAsync(torrent, 0, Size);
        await Until.TrueAsync(() => Told(swarm.Tracker, swarm.Torrent.Hash).Length == 2);
        Assert.Single(Told(swarm.Tracker, swarm.Torrent.Alias));
        Assert.True(Assert.Single(torrent.GetDetails().Trackers) is { State: TrackerState.Working, Message: null });
    }

    [Fact]
    public async Task The_greater_number_of_peers_of_the_two_names_is_shown()
    {
        await using var swarm = NewSwarm(byAlias: false);
        swarm.Tracker.Names = [swarm.Torrent.Hash, swarm.Torrent.Alias];
        swarm.Tracker.Reply = target =>
        {
            var isAlias = swarm.Torrent.Alias.Span.SequenceEqual(NameOf(target.Split('?')[1]));
            var counts = isAlias ? "8:completei5e10:downloadedi8e10:incompletei1e" : "8:completei2e10:downloadedi9e10:incompletei3e";
            return target.StartsWith("/announce", StringComparison.Ordinal)
                ? ("200 OK", "", Encoding.ASCII.GetBytes($"d{counts}8:intervali1800e5:peers0:e")) : null;
        };
        await using var fixture = new SwarmFixture(swarm);
        var torrent = fixture.Engine.Add(File(swarm.Torrent, swarm.Tracker.Url));
        await Until.TrueAsync(
            () => torrent.GetDetails().Trackers is [{ State: TrackerState.Working, Seeds: 5, Leechers: 3, Downloaded: 9 }]);
    }

    [Fact]
    public async Task A_wrong_alias_of_a_link_is_given_up_when_the_torrent_is_described()
    {
        await using var swarm = NewSwarm(byAlias: false);
        var wrong = new byte[20];
        swarm.Tracker.Names = [swarm.Torrent.Hash, swarm.Torrent.Alias, wrong];
        await using var fixture = new SwarmFixture(swarm);
        var torrent = fixture.Engine.Add(MagnetLink.Read(
            $"magnet:?xt=urn:btih:{swarm.Torrent.HashText}&xt=urn:btmh:1220{new string('0', 64)}&tr={Uri.EscapeDataString(swarm.Tracker.Url)}").Value!);
        await torrent.DescribeAsync(default);
        await Until.TrueAsync(() => Told(swarm.Tracker, wrong).Length == 2 && Told(swarm.Tracker, swarm.Torrent.Alias).Length == 1);
        Assert.Equal(["started", "stopped"], Told(swarm.Tracker, wrong).Select(static told => told["event"]));
        Assert.Equal(Text(swarm.Torrent.Alias), torrent.Swarm.Alias.ToString());
    }

    private static byte[] NameOf(string query) =>
        Encoding.Latin1.GetBytes(HttpUtility.ParseQueryString(query, Encoding.Latin1)["info_hash"]!);

    /// <summary>The fields of the announces by one name, in order.</summary>
    private static NameValueCollection[] Told(MockTracker tracker, ReadOnlyMemory<byte> name) =>
    [
        .. tracker.Announces.Where(query => name.Span.SequenceEqual(NameOf(query)))
            .Select(static query => HttpUtility.ParseQueryString(query, Encoding.Latin1)),
    ];
}
