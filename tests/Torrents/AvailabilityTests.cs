using System.Buffers.Binary;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Tests.Hostile;

namespace NzbDav.Torrents.Tests;

/// <summary>How the pieces that peers announce (all at once, one by one, repeatedly) are counted.</summary>
public sealed class AvailabilityTests
{
    private const int Pieces = 20;

    private static readonly MockTorrent Shared = SwarmFixture.OneFile(Pieces * SwarmFixture.PieceLength);

    private static readonly byte[] Greeting = HostilePeer.Handshake(Shared.Hash.Span);

    private static readonly byte[] HaveAll = HostilePeer.Message(14);

    private static readonly byte[] HaveNone = HostilePeer.Message(15);

    /// <summary>What a peer announces, and the resulting availability of pieces 0, 9 and 19.</summary>
    public static TheoryData<string, int[]> Told { get; } = new()
    {
        { "none", [0, 0, 0] },
        { "bits 0", [1, 0, 0] },
        { "bits 0, bits 0", [1, 0, 0] },

        // aria2 (1.36) does this when a bitfield is shorter than many haves.
        { "bits 0, bits 0 9", [1, 1, 0] },
        { "bits 0, have 9, bits 9 19", [1, 1, 1] },
        { "have 9, bits 0", [1, 1, 0] },

        // An announcement adds to earlier ones.
        { "bits 0 9, bits 19", [1, 1, 1] },
        { "bits 0 9, bits", [1, 1, 0] },
        { "bits 0, none", [1, 0, 0] },

        // A peer that becomes a seed is counted as one.
        { "none, all", [1, 1, 1] },
        { "bits 0 9, all", [1, 1, 1] },
        { "bits 0, full", [1, 1, 1] },
        { "all, bits 0, all, full, have 9", [1, 1, 1] },
        { "haves", [1, 1, 1] },
        { "bits 0, haves, all", [1, 1, 1] },
    };

    [Theory]
    [MemberData(nameof(Told))]
    public async Task Pieces_that_a_peer_has_are_counted_once_and_subtracted_when_it_leaves(string told, int[] expected)
    {
        await using var fixture = new SwarmFixture(Shared, []);
        var torrent = fixture.Add();
        await CheckAsync(torrent, told, expected, static () => { });
    }

    [Theory]
    [MemberData(nameof(Told))]
    public async Task Pieces_announced_before_the_metadata_are_counted_once_too(string told, int[] expected)
    {
        await using var fixture = new SwarmFixture(Shared, []);
        var torrent = fixture.Engine.Add(MagnetLink.Read(Shared.Magnet([], [])).Value!);
        await CheckAsync(torrent, told, expected, () => torrent.Describe(Metainfo.Read(Shared.TorrentFile()).Value!.Info));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_waiting_reader_gets_a_piece_as_soon_as_a_peer_announces_it(bool all)
    {
        var waiting = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var fixture = new SwarmFixture(Shared, []);
        await using var peer = new HostilePeer(async stream =>
        {
            await stream.WriteAsync(Greeting);
            await stream.WriteAsync(Bits(1));
            await stream.WriteAsync(HostilePeer.Message(1));
            await waiting.Task;
            await stream.WriteAsync(all ? HaveAll : Bits(0, 1));
            await foreach (var request in HostilePeer.RequestsAsync(stream))
            {
                var block = new byte[BinaryPrimitives.ReadInt32BigEndian(request.AsSpan(8))];
                Shared.Content.Fill(((long)BinaryPrimitives.ReadInt32BigEndian(request) * SwarmFixture.PieceLength)
                    + BinaryPrimitives.ReadInt32BigEndian(request.AsSpan(4)), block);
                await stream.WriteAsync(HostilePeer.Message(7, [.. request[..8], .. block]));
            }
        });
        var torrent = fixture.Add();
        torrent.AddPeers([peer.Endpoint]);
        await Until.TrueAsync(() => torrent.GetStatus().Bytes.Received > 0);
        var reading = fixture.ReadAsync(torrent, 0, SwarmFixture.PieceLength);
        waiting.SetResult();
        await reading;
    }

    private static async Task CheckAsync(Torrent torrent, string told, int[] expected, Action afterwards)
    {
        byte[] sent = [.. Greeting, .. told.Split(", ").SelectMany(Message)];
        await using (var peer = new HostilePeer(async stream => await stream.WriteAsync(sent)))
        {
            torrent.AddPeers([peer.Endpoint]);
            await Until.TrueAsync(() => torrent.GetStatus().Bytes.Received == sent.Length);
            afterwards();
            Assert.Null(torrent.GetStatus().LastDisconnectReason);
            Assert.Equal(expected, Count(torrent));
        }

        await Until.TrueAsync(() => torrent.GetStatus().Peers == 0);
        Assert.Equal([0, 0, 0], Count(torrent));
    }

    private static int[] Count(Torrent torrent)
    {
        lock (torrent.Swarm.Gate)
        {
            var table = torrent.Swarm.Table!;
            return [table.Availability(0), table.Availability(9), table.Availability(19)];
        }
    }

    private static IEnumerable<byte> Message(string told)
    {
        var words = told.Split(' ');
        int[] numbers = [.. words[1..].Select(static word => int.Parse(word, System.Globalization.CultureInfo.InvariantCulture))];
        return words[0] switch
        {
            "all" => HaveAll,
            "none" => HaveNone,
            "full" => Bits([.. Enumerable.Range(0, Pieces)]),
            "bits" => Bits(numbers),
            "have" => HostilePeer.Message(4, HostilePeer.Numbers(numbers)),
            _ => Enumerable.Range(0, Pieces).SelectMany(static piece => HostilePeer.Message(4, HostilePeer.Numbers(piece))),
        };
    }

    private static byte[] Bits(params int[] pieces)
    {
        var bits = new byte[(Pieces + 7) / 8];
        foreach (var piece in pieces)
            bits[piece / 8] |= (byte)(0x80 >> (piece % 8));
        return HostilePeer.Message(5, bits);
    }
}
