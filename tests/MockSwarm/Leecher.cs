using System.Buffers.Binary;
using System.Net.Sockets;
using NzbDav.MockSwarm.Seeders;

namespace NzbDav.MockSwarm.Tests;

/// <summary>A client that sends one message at a time and returns the answers.</summary>
internal sealed class Leecher : IDisposable
{
    private readonly TcpClient _client = new();

    public static async Task<Leecher> ConnectAsync(MockSeeder seeder, bool fast = true)
    {
        var leecher = new Leecher();
        await leecher._client.ConnectAsync(seeder.Endpoint);
        var bytes = new byte[68];
        bytes[0] = 19;
        "BitTorrent protocol"u8.CopyTo(bytes.AsSpan(1));
        bytes[27] = fast ? (byte)4 : (byte)0;
        seeder.Torrent.Hash.Span.CopyTo(bytes.AsSpan(28));
        await leecher._client.GetStream().WriteAsync(bytes);
        await leecher._client.GetStream().ReadExactlyAsync(bytes);
        Assert.Equal(seeder.Torrent.Hash.ToArray(), bytes[28..48]);
        return leecher;
    }

    public void Dispose() => _client.Dispose();

    public async Task SendAsync(byte id, params int[] numbers)
    {
        var bytes = new byte[5 + (numbers.Length * 4)];
        BinaryPrimitives.WriteInt32BigEndian(bytes, bytes.Length - 4);
        bytes[4] = id;
        for (var i = 0; i < numbers.Length; i++)
            BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan(5 + (i * 4)), numbers[i]);
        await _client.GetStream().WriteAsync(bytes);
    }

    public async Task<(byte Id, byte[] Payload)> ReceiveAsync()
    {
        var head = new byte[5];
        await _client.GetStream().ReadExactlyAsync(head);
        var payload = new byte[BinaryPrimitives.ReadInt32BigEndian(head) - 1];
        await _client.GetStream().ReadExactlyAsync(payload);
        return (head[4], payload);
    }
}
