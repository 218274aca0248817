using System.Net;
using System.Text;
using NzbDav.Content.Proxies;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Seeders;
using NzbDav.MockSwarm.Swarms;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Torrents.Tests;

/// <summary>The status shown to users, on a clock that the test moves.</summary>
public sealed class StatusTests
{
    private const int Pieces = 32;
    private const long Size = (long)Pieces * SwarmFixture.PieceLength;

    private readonly ManualTimeProvider _time = new();

    [Fact]
    public async Task The_status_shows_completed_pieces_and_the_rate()
    {
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(2), time: _time);
        var torrent = fixture.Add();
        await Until.TrueAsync(() => torrent.GetStatus().Peers == 2);
        Pass(1);
        Assert.True(torrent.LastStatus is { IsDescribed: true, Pieces: Pieces, Have: 0, Size: Size });
        await fixture.ReadAsync(torrent, 0, Size);
        await Until.TrueAsync(() => torrent.GetStatus() is { Have: Pieces, Peers: 2 });
        Pass(1);
        var status = torrent.LastStatus;
        Assert.Equal((Pieces, 2, 2, 0, null), (status.Have, status.Peers, status.Seeds, status.Readers, status.Reason));
        Assert.Equal(torrent.Bytes.Payload / 2.0, status.DownRate);

        var details = torrent.GetDetails();
        Assert.Equal([new PieceRun(PieceState.Held, Pieces)], details.Runs);
        Assert.Equal([Size], details.FileBytes);
        Assert.Equal(fixture.Swarm.Endpoints.OrderBy(static peer => peer.Port),
            details.Peers.Select(static peer => peer.Address).OrderBy(static peer => peer.Port));
        Assert.All(details.Peers, static peer => Assert.True(peer is { Progress: 1, IsIncoming: false, PeerChoking: false, Pending: 0 }));
        Assert.Equal(status.DownRate, details.Peers.Sum(static peer => peer.DownRate));
        Assert.Equal((torrent.Bytes.Payload, 0L),
            (details.Peers.Sum(static peer => peer.Downloaded), details.Peers.Sum(static peer => peer.Uploaded)));

        // Four seconds later the rate is over.
        Pass(4);
        Assert.Equal((0.0, 0.0), (torrent.LastStatus.DownRate, torrent.GetDetails().Peers.Sum(static peer => peer.DownRate)));
    }

    [Fact]
    public async Task The_status_shows_the_pieces_ahead_of_a_reader_as_wanted()
    {
        await using var fixture = new SwarmFixture(
            SwarmFixture.OneFile(Size), SwarmFixture.Seeders(1, new SeederOptions { Has = static piece => piece < 4 }), time: _time);
        var torrent = fixture.Add();
        var info = await torrent.DescribeAsync(CancellationToken.None);
        await using var reader = torrent.Open(info.Files[0]).OpenReader(0, Size, Content.ReadIntent.Playback);
        await fixture.CompareAsync(reader, 0, 4L * SwarmFixture.PieceLength);
        var waiting = reader.NextAsync(CancellationToken.None);
        await Until.TrueAsync(() => torrent.GetStatus().Have == 4);
        Pass(1);
        Assert.Equal((1, "None of 1 connected peers has piece 4."), (torrent.LastStatus.Readers, torrent.LastStatus.Reason));
        var runs = torrent.GetDetails().Runs;
        Assert.Equal([PieceState.Held, PieceState.Wanted], runs.Take(2).Select(static run => run.State));
        Assert.Equal((4, Pieces), (runs[0].Length, runs.Sum(static run => run.Length)));
        Assert.Equal([4L * SwarmFixture.PieceLength], torrent.GetDetails().FileBytes);
        await fixture.Engine.DisposeAsync();
        await Assert.ThrowsAnyAsync<Exception>(async () => await waiting);
    }

    [Fact]
    public async Task The_status_says_why_nothing_arrives()
    {
        await using var nobody = new SwarmFixture(SwarmFixture.OneFile(Size), [], time: _time);
        var alone = nobody.Add();
        await using var mean = new SwarmFixture(
            SwarmFixture.OneFile(Size, seed: 8), SwarmFixture.Seeders(2, new SeederOptions { AlwaysChokes = true }), time: _time);
        var choked = mean.Add();
        await using var silent = new SwarmFixture(SwarmFixture.OneFile(Size, seed: 9), [], time: _time);
        var link = silent.Engine.Add(MagnetLink.Read(silent.Swarm.Torrent.Magnet([], [])).Value!);
        Pass(1);

        // Nothing is wanted: nothing is wrong.
        Assert.Equal((null, null), (alone.LastStatus.Reason, choked.LastStatus.Reason));
        Assert.Equal((false, "No peers are known."), (link.LastStatus.IsDescribed, link.LastStatus.Reason));
        alone.FetchAll(true);
        choked.FetchAll(true);
        await Until.TrueAsync(() => choked.GetStatus().Peers == 2);
        Pass(1);
        Assert.Equal(("No peers are known.", "All 2 connected peers choke us."), (alone.LastStatus.Reason, choked.LastStatus.Reason));
    }

    [Fact]
    public async Task A_refusing_tracker_is_quoted_without_the_passkey_in_its_URL()
    {
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), []);
        swarm.Tracker.Failure = "unregistered torrent";
        await using var fixture = new SwarmFixture(swarm, time: _time);
        var secret = swarm.Tracker.Url.Replace("/announce", "/0123456789abcdef/announce", StringComparison.Ordinal);
        var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile(secret)).Value!);
        torrent.FetchAll(true);
        await Until.TrueAsync(() => torrent.GetDetails().Trackers is [{ Next: not null }]);
        Pass(1);
        var root = swarm.Tracker.Url.Replace("/announce", "", StringComparison.Ordinal);
        var trackers = torrent.GetDetails().Trackers;
        var shown = new TrackerStatus($"{root}/…", TrackerState.Failed, "unregistered torrent", 0,
            _time.GetUtcNow() + TimeSpan.FromSeconds(14))
        { Tier = 0, Address = new Uri(secret) };
        Assert.Equal(shown, trackers[0]);
        Assert.Equal("http", shown.Protocol);
        Assert.DoesNotContain("0123456789abcdef", shown.ToString(), StringComparison.Ordinal);
        Assert.Equal($"The tracker {root}/… refused: unregistered torrent. No peers are known.", torrent.LastStatus.Reason);

        swarm.Tracker.Failure = null;
        Pass(14);
        await Until.TrueAsync(() => torrent.GetDetails().Trackers[0].State == TrackerState.Working);
        Assert.Equal((null, TimeSpan.FromSeconds(1_800)),
            (torrent.GetDetails().Trackers[0].Message, torrent.GetDetails().Trackers[0].Next - _time.GetUtcNow()));
    }

    [Fact]
    public async Task Peer_sources_other_than_trackers_are_listed_with_what_they_found()
    {
        var options = new TorrentOptions { Workers = 1, PeerExchange = true };
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(1), options, _time);
        var torrent = fixture.Add();
        Assert.Equal(
            [(PeerSources.Dht, TrackerState.Off, 0), (PeerSources.Exchange, TrackerState.Working, 0),
                (PeerSources.Local, TrackerState.Off, 0)],
            torrent.GetDetails().Sources.Select(static row => (row.Source, row.State, row.Peers)));
        torrent.Swarm.AddPeers(
            [new IPEndPoint(IPAddress.Parse("192.0.2.1"), 1), new IPEndPoint(IPAddress.Parse("192.0.2.2"), 2)], PeerSources.Exchange);
        Assert.Equal(2, torrent.GetDetails().Sources[1].Peers);
        fixture.Engine.Apply(options with { PeerExchange = false });
        Assert.Equal(TrackerState.Off, torrent.GetDetails().Sources[1].State);
    }

    [Fact]
    public async Task The_engine_status_has_port_limits_totals_and_binding()
    {
        var options = new TorrentOptions
        {
            Workers = 1,
            Listen = new IPEndPoint(IPAddress.Loopback, 0),
            Rates = new TransferRates(0, 100_000),
            MostConnections = 77,
            Encryption = EncryptionPolicy.Off
        };
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(2), options, _time);
        var torrent = fixture.Add();
        await fixture.ReadAsync(torrent, 0, Size);
        Pass(1);
        var network = fixture.Engine.GetNetwork();
        Assert.Equal(
            (fixture.Engine.Port, MappingState.Off, null, null), (network.Port, network.MappingState, network.Trouble, network.Proxy));
        Assert.Equal(
            (EncryptionPolicy.Off, false, 77, 2), (network.Encryption, network.HasBlocklist, network.MostConnections, network.Connections));
        Assert.Equal((options.Rates, false), (network.Limits, network.IsAlternative));
        Assert.Equal((torrent.Bytes.Payload, torrent.LastStatus.DownRate), (network.Downloaded, network.DownRate));

        var alternative = new TransferRates(1_000_000, 0);
        fixture.Engine.Apply(options with
        {
            Bind = "nzbdav-gone0",
            AlternativeRates = alternative,
            AlternativeLimits =
            AlternativeLimits.Always,
            Proxy = new ProxyAddress(ProxyKind.Socks5, "127.0.0.1", 1080, "user", "secret")
        });
        network = fixture.Engine.GetNetwork();
        Assert.Equal((alternative, true), (network.Limits, network.IsAlternative));
        Assert.Equal(("nzbdav-gone0", "socks5://127.0.0.1:1080"), (network.Bind, network.Proxy));
        Assert.Contains("nzbdav-gone0, which they are bound to, is not there", network.Trouble, StringComparison.Ordinal);
    }

    [Fact]
    public void Piece_runs_of_a_huge_torrent_are_coarsened_to_display_resolution()
    {
        var held = new BitField(700_000);
        for (var piece = 0; piece < held.Length; piece += 2)
            held.Set(piece);
        Assert.Equal([new PieceRun(PieceState.Missing, 700_000)], PieceRuns.List(held, [], all: false));
        var runs = PieceRuns.List(held, [(350_000, 350_010)], all: false);
        Assert.Equal([PieceState.Missing, PieceState.Wanted, PieceState.Missing], runs.Select(static run => run.State));
        Assert.Equal(700_000, runs.Sum(static run => run.Length));
    }

    [Theory]
    [InlineData("-qB4650-abcdefghijkl", "qBittorrent 4.6.5")]
    [InlineData("-TRBETA-abcdefghijkl", "Transmission")]
    [InlineData("-XX1234-abcdefghijkl", null)]
    [InlineData("M7-10-5--abcdefghijk", null)]
    public void Clients_are_recognised_by_their_peer_ids(string id, string? name) =>
        Assert.Equal(name, ClientNames.Of(new InfoHash(Encoding.ASCII.GetBytes(id))));

    [Fact]
    public void A_peers_client_name_is_sanitised_for_display()
    {
        Assert.Equal("Good Client 1.0", ClientNames.Clean("Good\n Client 1.0\0"u8));
        Assert.Equal(ClientNames.MostLength, ClientNames.Clean(Encoding.ASCII.GetBytes(new string('x', 10_000)))!.Length);
        Assert.Null(ClientNames.Clean("  "u8));
    }

    private void Pass(int seconds)
    {
        for (var second = 0; second < seconds; second++)
            _time.Advance(TimeSpan.FromSeconds(1));
    }
}
