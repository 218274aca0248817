using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;

namespace NzbDav.Torrents.Tests.Mapping;

/// <summary>A router on loopback that speaks PCP, or NAT-PMP only as older ones do. The external port is the internal one and a thousand;
/// every lease is an hour.</summary>
internal sealed class MockRouter : IDisposable
{
    private readonly UdpClient _socket;
    private readonly IPAddress _client;
    private readonly ConcurrentDictionary<(byte Protocol, int Port), byte[]> _nonces = [];

    /// <param name="six">By IPv6 it keeps the port, and opens a pinhole for our own address.</param>
    public MockRouter(bool six = false)
    {
        _client = six ? IPAddress.IPv6Loopback : IPAddress.Loopback;
        _socket = new UdpClient(new IPEndPoint(_client, 0));
        _ = RunAsync();
    }

    /// <summary>Does not know PCP.</summary>
    public bool IsOld { get; init; }

    /// <summary>Refuses every mapping.</summary>
    public bool Refuses { get; init; }

    public static IPAddress ExternalAddress { get; } = IPAddress.Parse("203.0.113.9");

    public static IPAddress Six { get; } = IPAddress.Parse("2001:db8::7");

    public IPEndPoint Endpoint => (IPEndPoint)_socket.Client.LocalEndPoint!;

    /// <summary>What was asked for: "PCP" or "PMP", IANA's protocol number, port, seconds.</summary>
    public ConcurrentQueue<(string Kind, int Protocol, int Port, uint Seconds)> Asked { get; } = [];

    public void Dispose() => _socket.Dispose();

    private async Task RunAsync()
    {
        try
        {
            while (true)
            {
                var question = await _socket.ReceiveAsync();
                if (Answer(question.Buffer) is { } answer)
                    await _socket.SendAsync(answer, question.RemoteEndPoint);
            }
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // Disposed.
        }
    }

    private byte[]? Answer(byte[] question)
    {
        if (question[0] == 2)
        {
            // RFC 6886, 3.5: unsupported version.
            if (IsOld)
                return [0, 0x81, 0, 1, 0, 0, 0, 0];
            var (seconds, port) =
                (BinaryPrimitives.ReadUInt32BigEndian(question.AsSpan(4)), BinaryPrimitives.ReadUInt16BigEndian(question.AsSpan(40)));
            var isSix = _client.AddressFamily == AddressFamily.InterNetworkV6;
            Assert.Equal(_client.MapToIPv6(), new IPAddress(question.AsSpan(8, 16)));

            // RFC 6887, 11.1: the suggested address, of the family that is wanted.
            Assert.Equal((isSix ? IPAddress.IPv6Any : IPAddress.Any).MapToIPv6(), new IPAddress(question.AsSpan(44, 16)));
            Asked.Enqueue(("PCP", question[36], port, seconds));
            var reply = question.ToArray();
            reply[1] |= 0x80;

            // NOT_AUTHORIZED, for a renewal with another nonce too.
            var nonce = question[24..36];
            if (Refuses || !_nonces.GetOrAdd((question[36], port), nonce).AsSpan().SequenceEqual(nonce))
                reply[3] = 2;
            BinaryPrimitives.WriteUInt32BigEndian(reply.AsSpan(4), Math.Min(seconds, 3_600));
            BinaryPrimitives.WriteUInt16BigEndian(reply.AsSpan(42), (ushort)(isSix ? port : port + 1_000));
            (isSix ? Six : ExternalAddress).MapToIPv6().TryWriteBytes(reply.AsSpan(44), out _);
            return reply;
        }

        // RFC 6886, 3.2: the external address.
        if (question is [0, 0])
            return [0, 0x80, 0, 0, 0, 0, 0, 1, .. ExternalAddress.GetAddressBytes()];
        var (internalPort, lifetime) =
            (BinaryPrimitives.ReadUInt16BigEndian(question.AsSpan(4)), BinaryPrimitives.ReadUInt32BigEndian(question.AsSpan(8)));
        Asked.Enqueue(("PMP", question[1] == 1 ? 17 : 6, internalPort, lifetime));
        var answer = new byte[16];
        answer[1] = (byte)(question[1] | 0x80);
        answer[3] = Refuses ? (byte)2 : (byte)0;
        question.AsSpan(4, 2).CopyTo(answer.AsSpan(8));
        BinaryPrimitives.WriteUInt16BigEndian(answer.AsSpan(10), (ushort)(internalPort + 1_000));
        BinaryPrimitives.WriteUInt32BigEndian(answer.AsSpan(12), Math.Min(lifetime, 3_600));
        return answer;
    }
}
