using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;

namespace NzbDav.Torrents.Tests.Hostile;

/// <summary>A peer that runs a script on each connection that it gets.</summary>
internal sealed class HostilePeer : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly TaskCompletionSource _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Func<NetworkStream, Task> _script;
    private readonly Task _accepting;
    private readonly List<TcpClient> _clients = [];

    public HostilePeer(Func<NetworkStream, Task> script)
    {
        _script = script;
        _listener.Start();
        _accepting = AcceptAsync();
    }

    public IPEndPoint Endpoint => (IPEndPoint)_listener.LocalEndpoint;

    /// <summary>Completes when the other side has closed a connection.</summary>
    public Task Closed => _closed.Task;

    /// <summary>A handshake with all extensions.</summary>
    public static byte[] Handshake(ReadOnlySpan<byte> hash)
    {
        var bytes = new byte[68];
        bytes[0] = 19;
        "BitTorrent protocol"u8.CopyTo(bytes.AsSpan(1));
        bytes[25] = 0x10;
        bytes[27] = 0x04;
        hash.CopyTo(bytes.AsSpan(28));
        "-XX0000-"u8.CopyTo(bytes.AsSpan(48));
        Random.Shared.NextBytes(bytes.AsSpan(56));
        return bytes;
    }

    /// <summary>A message with its length.</summary>
    public static byte[] Message(byte id, params ReadOnlySpan<byte> payload)
    {
        var bytes = new byte[5 + payload.Length];
        BinaryPrimitives.WriteInt32BigEndian(bytes, 1 + payload.Length);
        bytes[4] = id;
        payload.CopyTo(bytes.AsSpan(5));
        return bytes;
    }

    /// <summary>Numbers in wire format (big-endian).</summary>
    public static byte[] Numbers(params ReadOnlySpan<int> numbers)
    {
        var bytes = new byte[numbers.Length * 4];
        for (var i = 0; i < numbers.Length; i++)
            BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan(i * 4), numbers[i]);
        return bytes;
    }

    /// <summary>Reads the other's handshake and yields the payloads of the requests that come.</summary>
    public static async IAsyncEnumerable<byte[]> RequestsAsync(NetworkStream stream)
    {
        var head = new byte[68];
        await stream.ReadExactlyAsync(head);
        while (true)
        {
            await stream.ReadExactlyAsync(head.AsMemory(0, 4));
            var message = new byte[BinaryPrimitives.ReadInt32BigEndian(head)];
            await stream.ReadExactlyAsync(message);
            if (message is [6, ..])
                yield return message[1..];
        }
    }

    public async ValueTask DisposeAsync()
    {
        _listener.Stop();
        await _accepting;
        _clients.ForEach(static client => client.Dispose());
    }

    private async Task AcceptAsync()
    {
        while (true)
        {
            try
            {
                var client = await _listener.AcceptTcpClientAsync();
                _clients.Add(client);
                _ = ServeAsync(client.GetStream());
            }
            catch (Exception error) when (error is SocketException or InvalidOperationException)
            {
                return;
            }
        }
    }

    private async Task ServeAsync(NetworkStream stream)
    {
        var script = Task.Run(() => _script(stream));
        try
        {
            await script;
        }
        catch (Exception error) when (error is IOException or ObjectDisposedException)
        {
            // The engine closed the connection.
        }

        try
        {
            var buffer = new byte[4_096];
            while (await stream.ReadAsync(buffer) > 0)
            {
            }

            _closed.TrySetResult();
        }
        catch (Exception error) when (error is IOException or ObjectDisposedException)
        {
            _closed.TrySetResult();
        }
    }
}
