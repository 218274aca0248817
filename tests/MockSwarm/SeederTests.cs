using System.Diagnostics;
using System.Security.Cryptography;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Pacing;
using NzbDav.MockSwarm.Seeders;
using NzbDav.MockSwarm.Swarms;

namespace NzbDav.MockSwarm.Tests;

public sealed class SeederTests
{
    private static readonly MockTorrent Torrent = new("a", SwarmContent.Make(3, 40_000, [new SwarmFile("a", 100_000)]));

    [Fact]
    public void The_same_seed_gives_the_same_bytes_with_right_hashes()
    {
        var again = SwarmContent.Make(3, 40_000, [new SwarmFile("a", 100_000)]);
        Assert.Equal((3, 20_000), (again.PieceCount, again.SizeOf(2)));
        for (var piece = 0; piece < 3; piece++)
        {
            Assert.True(again.Piece(piece).SequenceEqual(Torrent.Content.Piece(piece)));
#pragma warning disable CA5350
            Assert.Equal(SHA1.HashData(again.Piece(piece)), again.Hashes.Slice(piece * 20, 20).ToArray());
#pragma warning restore CA5350
        }

        var bytes = new byte[50_000];
        again.Fill(30_000, bytes);
        Assert.True(bytes.AsSpan(0, 10_000).SequenceEqual(again.Piece(0)[30_000..]));
        Assert.True(bytes.AsSpan(10_000).SequenceEqual(again.Piece(1)));
        Assert.False(again.Piece(0).SequenceEqual(again.Piece(1)));
        Assert.NotEqual(Torrent.HashText, new MockTorrent("a", SwarmContent.Make(4, 40_000, [new SwarmFile("a", 100_000)])).HashText);
    }

    [Fact]
    public void A_huge_torrent_repeats_its_pieces()
    {
        var content = SwarmContent.Make(1, 16 << 20, [new SwarmFile("a", 5_000_000_000)]);
        Assert.True(content.Piece(0).SequenceEqual(content.Piece(61)));
        Assert.False(content.Piece(0).SequenceEqual(content.Piece(64)));
        Assert.Equal(content.PieceCount * 20, content.Hashes.Length);
    }

    [Fact]
    public async Task A_block_is_served_after_unchoke()
    {
        await using var seeder = new MockSeeder(Torrent);
        using var leecher = await Leecher.ConnectAsync(seeder);
        Assert.Equal(14, (await leecher.ReceiveAsync()).Id);
        await leecher.SendAsync(6, 0, 0, 100);
        Assert.Equal(16, (await leecher.ReceiveAsync()).Id);
        await leecher.SendAsync(2);
        Assert.Equal(1, (await leecher.ReceiveAsync()).Id);
        await leecher.SendAsync(6, 2, 5_000, 15_000);
        var (id, payload) = await leecher.ReceiveAsync();
        Assert.Equal(7, id);
        Assert.Equal([0, 0, 0, 2, 0, 0, 0x13, 0x88], payload[..8]);
        Assert.True(Torrent.Content.Piece(2)[5_000..].SequenceEqual(payload.AsSpan(8)));
        Assert.Equal((1, 15_000), (seeder.Counters.Blocks, seeder.Counters.Payload));
    }

    [Fact]
    public async Task Without_the_fast_extension_a_bitfield_is_sent()
    {
        await using var seeder = new MockSeeder(Torrent, new SeederOptions { Has = static piece => piece != 1 });
        using var leecher = await Leecher.ConnectAsync(seeder, fast: false);
        var (id, payload) = await leecher.ReceiveAsync();
        Assert.Equal(5, id);
        Assert.Equal([0b1010_0000], payload);
    }

    [Fact]
    public async Task Cancelled_requests_and_those_beyond_a_full_queue_are_rejected()
    {
        await using var seeder = new MockSeeder(Torrent, new SeederOptions { Rate = 1, RequestQueue = 2 });
        using var leecher = await Leecher.ConnectAsync(seeder);
        await leecher.SendAsync(2);
        await leecher.SendAsync(6, 0, 0, 1_000);
        await leecher.SendAsync(6, 0, 1_000, 1_000);
        await leecher.SendAsync(6, 0, 2_000, 1_000);
        await leecher.SendAsync(8, 0, 1_000, 1_000);
        Assert.Equal(14, (await leecher.ReceiveAsync()).Id);
        Assert.Equal(1, (await leecher.ReceiveAsync()).Id);
        Assert.Equal((16, 0xD0), await RejectAsync());
        Assert.Equal((16, 0xE8), await RejectAsync());
        Assert.Equal((1, 2), (seeder.Counters.Cancels, seeder.Counters.Rejects));

        async Task<(byte Id, byte Begin)> RejectAsync()
        {
            var (id, payload) = await leecher.ReceiveAsync();
            return (id, payload[7]);
        }
    }

    [Fact]
    public async Task Seeders_misbehave_as_configured()
    {
        BlockAction[] actions = [BlockAction.Corrupt, BlockAction.Drop, BlockAction.Reject, BlockAction.Serve];
        await using var seeder = new MockSeeder(Torrent, new SeederOptions { Act = request => actions[request.Number] });
        using var leecher = await Leecher.ConnectAsync(seeder);
        await leecher.SendAsync(2);
        await leecher.ReceiveAsync();
        await leecher.ReceiveAsync();
        for (var i = 0; i < 4; i++)
            await leecher.SendAsync(6, 0, i * 100, 100);
        var answers = new List<(byte Id, byte[] Payload)>
            { await leecher.ReceiveAsync(), await leecher.ReceiveAsync(), await leecher.ReceiveAsync() };
        Assert.Contains(answers, answer => answer.Id == 16 && answer.Payload[7] == 200);
        Assert.Contains(
            answers, answer => answer.Id == 7 && answer.Payload.AsSpan(8).SequenceEqual(Torrent.Content.Piece(0).Slice(300, 100)));
        var corrupt = answers.Single(answer => answer.Id == 7 && answer.Payload[7] == 0).Payload[8..];
        Assert.Equal(1, Enumerable.Range(0, 100).Count(i => corrupt[i] != Torrent.Content.Piece(0)[i]));
    }

    [Fact]
    public async Task Connecting_and_a_request_take_a_round_trip_each_and_pipelined_requests_share_one()
    {
        var trip = TimeSpan.FromMilliseconds(60);
        await using var seeder = new MockSeeder(Torrent, new SeederOptions { RoundTrip = trip });
        var watch = Stopwatch.StartNew();
        using var leecher = await Leecher.ConnectAsync(seeder);
        Assert.True(watch.Elapsed >= 2 * trip, $"{watch.Elapsed}");
        await leecher.SendAsync(2);
        await leecher.ReceiveAsync();
        await leecher.ReceiveAsync();
        watch.Restart();
        for (var i = 0; i < 100; i++)
            await leecher.SendAsync(6, 0, i * 100, 100);
        for (var i = 0; i < 100; i++)
            Assert.Equal(7, (await leecher.ReceiveAsync()).Id);

        // One by one they would take a hundred at least.
        Assert.InRange(watch.Elapsed, trip, 99 * trip);
    }

    [Fact]
    public void A_line_passes_no_more_than_its_rate()
    {
        var line = new Line(1_000);
        Assert.False(line.TryPass(1_000, 0, 0, out var due));
        Assert.Equal(TimeSpan.TicksPerSecond, due);
        Assert.True(line.TryPass(1_000, 0, due, out _));
        Assert.False(line.TryPass(500, 0, due, out var next));
        Assert.Equal(due + (TimeSpan.TicksPerSecond / 2), next);

        // What stood blocked for ten seconds has not saved up ten seconds.
        var later = due + (10 * TimeSpan.TicksPerSecond);
        Assert.True(line.TryPass(500, 0, later, out _));
        Assert.False(line.TryPass(500, 0, later, out next));
        Assert.True(next > later + (TimeSpan.TicksPerSecond / 3));
        Assert.True(new Line(0).TryPass(int.MaxValue, 0, 0, out _));
    }

    [Fact]
    public async Task The_tracker_lists_its_peers_in_both_forms()
    {
        await using var swarm = new Swarm(Torrent, new SeederOptions());
        using var http = new HttpClient();
        var hash = string.Concat(Torrent.Hash.ToArray().Select(static b => $"%{b:x2}"));
        var compact = await http.GetByteArrayAsync(new Uri($"{swarm.Tracker.Url}?info_hash={hash}&port=0"));
        Assert.StartsWith(
            "d8:intervali1800e5:peers6:\u007f\0\0\u0001", System.Text.Encoding.Latin1.GetString(compact), StringComparison.Ordinal);
        swarm.Tracker.Verbose = true;
        Assert.Contains($"d2:ip9:127.0.0.14:porti{swarm.Seeders[0].Endpoint.Port}ee",
            await http.GetStringAsync(new Uri($"{swarm.Tracker.Url}?info_hash={hash}&port=0")), StringComparison.Ordinal);
        Assert.Contains("failure", await http.GetStringAsync(new Uri($"{swarm.Tracker.Url}?info_hash=x")), StringComparison.Ordinal);
        Assert.Contains("8:completei1e", await http.GetStringAsync(new Uri(
            $"{swarm.Tracker.Url.Replace("announce", "scrape", StringComparison.Ordinal)}?info_hash={hash}")), StringComparison.Ordinal);
    }
}
