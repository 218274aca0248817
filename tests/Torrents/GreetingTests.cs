using System.Buffers.Binary;
using System.Net.Sockets;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Tests.Hostile;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Torrents.Tests;

/// <summary>What is sent to a peer that we dialled, and when.</summary>
public sealed class GreetingTests
{
    private const byte Have = 4;
    private const byte Bitfield = 5;
    private const int Pieces = 20;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    /// <summary>aria2 1.36 expects only our handshake at that point, and disconnects if there is more.</summary>
    [Fact]
    public async Task Nothing_is_sent_after_our_handshake_until_the_peers_handshake_arrives()
    {
        var first = new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously);
        var second = new TaskCompletionSource<byte>(TaskCreationOptions.RunContinuationsAsynchronously);
        var content = SwarmFixture.OneFile(Pieces * SwarmFixture.PieceLength);
        await using var peer = new HostilePeer(async stream =>
        {
            var received = new byte[256];
            var count = await stream.ReadAsync(received);
            first.TrySetResult(count);
            await stream.WriteAsync(HostilePeer.Handshake(received.AsSpan(28, 20)));
            second.TrySetResult((await ReadMessageAsync(stream)).Id);
        });
        await using var fixture = new SwarmFixture(content, [], new TorrentOptions { Workers = 2, Encryption = EncryptionPolicy.Off });
        fixture.Add().AddPeers([peer.Endpoint]);

        Assert.Equal(68, await first.Task.WaitAsync(Patience));
        Assert.Equal(Bitfield, await second.Task.WaitAsync(Patience));
    }

    /// <summary>Transmission 3.00 takes up to half a second for its handshake; many pieces may be completed in that time.</summary>
    [Fact]
    public async Task A_peer_with_a_slow_handshake_is_told_of_all_pieces()
    {
        var dialled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var complete = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var told = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var content = SwarmFixture.OneFile(Pieces * SwarmFixture.PieceLength);
        await using var peer = new HostilePeer(async stream =>
        {
            var received = new byte[68];
            await stream.ReadExactlyAsync(received);
            dialled.TrySetResult();
            await complete.Task;
            await stream.WriteAsync(HostilePeer.Handshake(received.AsSpan(28, 20)));
            var pieces = new HashSet<int>();
            while (pieces.Count < Pieces)
                Take(await ReadMessageAsync(stream), pieces);
            told.TrySetResult();
        });
        await using var fixture = new SwarmFixture(content, SwarmFixture.Seeders(1));
        var torrent = fixture.Engine.Add(Metainfo.Read(content.TorrentFile()).Value!);
        torrent.AddPeers([peer.Endpoint]);
        await dialled.Task.WaitAsync(Patience);
        torrent.AddPeers(fixture.Swarm.Endpoints);
        await fixture.ReadAsync(torrent, 0, Pieces * SwarmFixture.PieceLength);
        complete.SetResult();

        await told.Task.WaitAsync(Patience);
    }

    private static void Take((byte Id, byte[] Payload) message, HashSet<int> pieces)
    {
        if (message.Id == Have)
        {
            pieces.Add(BinaryPrimitives.ReadInt32BigEndian(message.Payload));
        }
        else if (message.Id == Bitfield)
        {
            for (var piece = 0; piece < Pieces; piece++)
            {
                if ((message.Payload[piece / 8] & (0x80 >> (piece % 8))) != 0)
                    pieces.Add(piece);
            }
        }
    }

    private static async Task<(byte Id, byte[] Payload)> ReadMessageAsync(NetworkStream stream)
    {
        var head = new byte[5];
        await stream.ReadExactlyAsync(head);
        var payload = new byte[BinaryPrimitives.ReadInt32BigEndian(head) - 1];
        await stream.ReadExactlyAsync(payload);
        return (head[4], payload);
    }
}
