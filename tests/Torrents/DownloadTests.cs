using System.Net;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Seeders;
using NzbDav.MockSwarm.Swarms;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Settings;

namespace NzbDav.Torrents.Tests;

/// <summary>The engine against seeders over real sockets: every byte compared with its source.</summary>
public sealed class DownloadTests
{
    [Theory]
    [InlineData(1, 1)]
    [InlineData(1, 16_384)]
    [InlineData(5_000_000, 65_536)]
    [InlineData(5_000_001, 30_000)]
    [InlineData(3_000_000, 4 << 20)]
    public async Task A_file_is_read_from_one_seeder(long size, int pieceLength)
    {
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(size, Math.Max(1_024, pieceLength)), SwarmFixture.Seeders(1));
        var torrent = fixture.Add();
        await fixture.ReadAsync(torrent, 0, size);
        Assert.Equal(size, torrent.GetStatus().Bytes.Payload);
        Assert.Equal(size, fixture.Swarm.Seeders[0].Counters.Payload);
    }

    [Fact]
    public async Task Every_byte_from_many_seeders_is_counted_once()
    {
        const long Size = 30_000_000;
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(8));
        var torrent = fixture.Add();
        await fixture.ReadAsync(torrent, 0, Size);
        var bytes = torrent.GetStatus().Bytes;
        await torrent.DisposeAsync();

        Assert.Equal(Size, bytes.Payload);
        Assert.Equal(bytes.Received, bytes.Payload + bytes.Duplicate + bytes.Discarded + bytes.Protocol);
        Assert.True(bytes.Duplicate + bytes.Discarded <= Size / 100, $"{bytes.Duplicate} duplicate, {bytes.Discarded} discarded");
    }

    [Fact]
    public async Task A_tracker_that_returns_no_peers_is_asked_again_before_its_interval()
    {
        var time = new ManualTimeProvider();
        await using var swarm = new Swarm(SwarmFixture.OneFile(1_000_000), []);
        swarm.Tracker.Interval = 20_000;
        await using var engine = new TorrentEngine(new TorrentOptions { Workers = 1, Listen = null }, time);
        engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile(swarm.Tracker.Url)).Value!);

        // The store's timer, the torrent's, and the one for the next announce, which is there when the answer was read.
        foreach (var (asked, wait) in new[] { (1, 15), (2, 30), (3, 60) })
        {
            await Until.TrueAsync(() => swarm.Tracker.Announces.Count == asked && time.ArmedTimers == 3);
            time.Advance(TimeSpan.FromSeconds(wait));
        }

        await Until.TrueAsync(() => swarm.Tracker.Announces.Count == 4);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_file_is_read_from_seeders_that_choke_now_and_then(bool fast)
    {
        var options = new SeederOptions { ChokeAfter = 40, ChokeFor = TimeSpan.FromMilliseconds(2), Fast = fast };
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(4_000_000), SwarmFixture.Seeders(3, options));
        await fixture.ReadAsync(fixture.Add(), 0, 4_000_000);
    }

    [Fact]
    public async Task A_file_is_read_from_seeders_that_each_have_a_part()
    {
        SeederOptions[] seeders = [.. Enumerable.Range(0, 4).Select(i => new SeederOptions { Has = piece => piece % 4 == i })];
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(4_000_000), seeders);
        await fixture.ReadAsync(fixture.Add(), 0, 4_000_000);
    }

    [Fact]
    public async Task A_file_is_read_from_seeders_with_short_request_queues()
    {
        await using var fixture = new SwarmFixture(
            SwarmFixture.OneFile(4_000_000), SwarmFixture.Seeders(2, new SeederOptions { RequestQueue = 5 }));
        await fixture.ReadAsync(fixture.Add(), 0, 4_000_000);
        Assert.All(fixture.Swarm.Seeders, seeder => Assert.Equal(0, seeder.Counters.Rejects));
    }

    [Fact]
    public async Task A_file_is_read_from_seeders_that_reject_a_third_of_the_requests()
    {
        var options = new SeederOptions { Act = request => request.Number % 3 == 0 ? BlockAction.Reject : BlockAction.Serve };
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(4_000_000), SwarmFixture.Seeders(2, options));
        await fixture.ReadAsync(fixture.Add(), 0, 4_000_000);
    }

    [Fact]
    public async Task Requests_that_a_seeder_ignores_go_to_others()
    {
        SeederOptions[] seeders = [
            new() { Act = static request => request.Number % 5 == 4 ? BlockAction.Drop : BlockAction.Serve }, new(), new()];
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(4_000_000), seeders);
        await fixture.ReadAsync(fixture.Add(), 0, 4_000_000);
    }

    [Fact]
    public async Task A_seeder_that_stops_in_mid_block_delays_no_reader()
    {
        SeederOptions[] seeders = [
            new() { Act = static request => request.Number == 20 ? BlockAction.Stall : BlockAction.Serve }, new(), new()];
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(4_000_000), seeders);
        var torrent = fixture.Add();
        await fixture.ReadAsync(torrent, 0, 4_000_000);
        await torrent.DisposeAsync();
        var bytes = torrent.GetStatus().Bytes;
        Assert.Equal(bytes.Received, bytes.Payload + bytes.Duplicate + bytes.Discarded + bytes.Protocol);
    }

    [Fact]
    public async Task Seeders_that_disconnect_are_dialled_again_while_others_continue()
    {
        SeederOptions[] seeders = [
            new() { Act = static request => request.Number % 50 == 49 ? BlockAction.Close : BlockAction.Serve }, new()];
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(4_000_000), seeders);
        await fixture.ReadAsync(fixture.Add(), 0, 4_000_000);
    }

    [Fact]
    public async Task A_corrupt_piece_never_reaches_a_reader_and_its_sender_is_banned()
    {
        SeederOptions[] seeders = [
            new() { Act = static request => request.Piece == 3 ? BlockAction.Corrupt : BlockAction.Serve }, new(), new(), new()];
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(6_000_000), seeders);
        var torrent = fixture.Add();
        await fixture.ReadAsync(torrent, 0, 6_000_000);
        var bytes = torrent.GetStatus().Bytes;

        // It is a matter of chance whether the bad seeder was asked for piece 3; if it was, it is banned.
        if (bytes.Failed > 0)
            Assert.True(torrent.GetStatus().Peers < 4);
        Assert.Equal(6_000_000, bytes.Payload - bytes.Failed);
    }

    [Fact]
    public async Task One_honest_seeder_among_many_corrupt_ones_is_enough()
    {
        var bad = new SeederOptions { Act = static request => request.Number % 7 == 3 ? BlockAction.Corrupt : BlockAction.Serve };
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(3_000_000), [bad, bad, bad, bad, new()]);
        await fixture.ReadAsync(fixture.Add(), 0, 3_000_000);
    }

    [Fact]
    public async Task A_magnet_link_gets_its_metadata_from_a_peer()
    {
        var made = new MockTorrent("set", SwarmContent.Make(1, 16_384, [new SwarmFile("a/b.bin", 20_000_000), new SwarmFile("c.bin", 5)]));
        await using var swarm = new Swarm(made, SwarmFixture.Seeders(2));
        await using var fixture = new SwarmFixture(swarm);
        Assert.True(made.Info.Length > MetadataPiece);
        var torrent = fixture.Engine.Add(MagnetLink.Read(swarm.Magnet).Value!);
        var info = await torrent.DescribeAsync(default);

        Assert.Equal(made.HashText, info.Hash.ToString());
        await fixture.ReadAsync(torrent, 0, 300_000);
        await swarm.DisposeAsync();
    }

    private const int MetadataPiece = 16_384;

    [Fact]
    public async Task False_metadata_is_refused_and_another_peer_is_asked()
    {
        await using var swarm = new Swarm(SwarmFixture.OneFile(100_000), new SeederOptions { CorruptMetadata = true }, new SeederOptions());
        await using var fixture = new SwarmFixture(swarm);
        var torrent = fixture.Engine.Add(MagnetLink.Read(swarm.Torrent.Magnet([swarm.Seeders[0].Endpoint.ToString()], [])).Value!);
        await Fakes.Until.TrueAsync(() => swarm.Seeders[0].Counters.Connections > 0);
        torrent.AddPeers(swarm.Seeders[1].Endpoint);
        await torrent.DescribeAsync(default);
        await fixture.ReadAsync(torrent, 0, 100_000);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Peers_are_found_through_a_tracker(bool verbose)
    {
        await using var swarm = new Swarm(SwarmFixture.OneFile(1_000_000), SwarmFixture.Seeders(2));
        swarm.Tracker.Verbose = verbose;
        await using var fixture = new SwarmFixture(swarm);
        var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile("http://127.0.0.1:1/announce", swarm.Tracker.Url)).Value!);
        await fixture.ReadAsync(torrent, 0, 1_000_000);
        await torrent.DisposeAsync();

        Assert.Contains("event=started", swarm.Tracker.Announces.First(), StringComparison.Ordinal);
        Assert.Contains($"port={fixture.Engine.Port}", swarm.Tracker.Announces.First(), StringComparison.Ordinal);
        Assert.Contains("event=stopped", swarm.Tracker.Announces.Last(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_magnet_link_that_names_a_torrent_file_needs_no_peer_for_the_metadata()
    {
        await using var swarm = new Swarm(SwarmFixture.OneFile(1_000_000), []);
        var other = SwarmFixture.OneFile(2_000_000);
        swarm.Tracker.Reply = target => target switch
        {
            "/moved" => ("302 Found", "Location: /a.torrent\r\n", []),
            "/a.torrent" => ("200 OK", "", swarm.Torrent.TorrentFile()),
            "/other" => ("200 OK", "", other.TorrentFile()),
            "/none" => ("404 Not Found", "", []),
            _ => null,
        };
        var root = swarm.Tracker.Url.Replace("/announce", "", StringComparison.Ordinal);
        await using var fixture = new SwarmFixture(swarm);
        var link = swarm.Torrent.Magnet([], []) + $"&xs={root}/other&xs={root}/none&as={root}/moved";
        var torrent = fixture.Engine.Add(MagnetLink.Read(link).Value!);
        Assert.Equal(1_000_000, (await torrent.DescribeAsync(default)).Length);
    }

    [Fact]
    public async Task One_engine_serves_another()
    {
        const long Size = 4_000_000;
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(1));
        await using var first = new SwarmFixture(swarm);
        await using var second = new SwarmFixture(swarm);
        var source = first.Add();
        await first.ReadAsync(source, 0, Size);
        var torrent = second.Engine.Add(
            MagnetLink.Read(swarm.Torrent.Magnet([new IPEndPoint(IPAddress.Loopback, first.Engine.Port).ToString()], [])).Value!);
        await second.ReadAsync(torrent, 0, Size);

        await Until.TrueAsync(() => source.GetStatus().Bytes.Uploaded == Size);
        Assert.Equal(Size, swarm.Seeders[0].Counters.Payload);
    }

    [Fact]
    public async Task A_reader_is_told_when_no_peer_has_a_piece()
    {
        var options = new TorrentOptions { ReaderTimeout = TimeSpan.FromMilliseconds(300) };
        var time = new ManualTimeProvider();
        await using var fixture = new SwarmFixture(
            SwarmFixture.OneFile(1_000_000), [new SeederOptions { Has = static piece => piece != 5 }], options, time);
        var torrent = fixture.Add();
        await fixture.ReadAsync(torrent, 0, 5 * SwarmFixture.PieceLength);

        // The read waits when the call returns, and is checked every 100 ms.
        var reading = fixture.ReadAsync(torrent, 5 * SwarmFixture.PieceLength, 1_000_000);
        for (var i = 0; i < 5; i++)
            time.Advance(TimeSpan.FromMilliseconds(100));
        var error = await Assert.ThrowsAsync<ContentException>(() => reading);

        Assert.Equal(ContentFault.Unavailable, error.Fault);
        Assert.Contains("None of 1 connected peers has piece 5", error.Message, StringComparison.Ordinal);
        await fixture.ReadAsync(torrent, 6 * SwarmFixture.PieceLength, 1_000_000);
    }

    [Fact]
    public async Task A_cancelled_read_keeps_its_position()
    {
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(1_000_000),
            [new SeederOptions { AlwaysChokes = true }, new SeederOptions { Has = static piece => piece == 0 }]);
        var torrent = fixture.Add();
        var info = await torrent.DescribeAsync(default);
        await using var reader = torrent.Open(info.Files[0]).OpenReader(0, 1_000_000, ReadIntent.Playback);
        await fixture.CompareAsync(reader, 0, SwarmFixture.PieceLength);
        using var cancel = new CancellationTokenSource();
        var pending = reader.NextAsync(cancel.Token).AsTask();
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => pending);
        Assert.Equal(SwarmFixture.PieceLength, reader.Position);
    }

    [Fact]
    public async Task Many_readers_seek_at_once()
    {
        const long Size = 20_000_000;
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(4));
        var torrent = fixture.Add();
        await Task.WhenAll(Enumerable.Range(0, 8).Select(async number =>
        {
            var random = new Random(number);
            for (var i = 0; i < 20; i++)
            {
                var start = random.NextInt64(Size);
                await fixture.ReadAsync(torrent, start, Math.Min(Size, start + random.NextInt64(600_000)));
            }
        }));
        Assert.True(torrent.GetStatus().Bytes.Payload <= Size);
    }

    [Fact]
    public async Task A_probe_fetches_little_more_than_it_reads()
    {
        const long Size = 50_000_000;
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(4));
        var torrent = fixture.Add();
        await fixture.ReadAsync(torrent, 0, 1 << 20);
        await fixture.ReadAsync(torrent, Size - (1 << 20), Size);
        Assert.InRange(torrent.GetStatus().Bytes.Received, 2 << 20, (long)(1.3 * (2 << 20)));
    }
}
