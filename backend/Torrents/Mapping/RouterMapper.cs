using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;

namespace NzbDav.Torrents.Mapping;

/// <summary>
/// Asks a router by PCP (RFC 6887), and by NAT-PMP (RFC 6886) if it speaks only that: both listen at the same port, and an old one says that it does not know the new version. Thread-safe.
/// </summary>
/// <param name="router">The gateway; port 5351 on real ones. Nothing is sent outside private networks.</param>
/// <param name="create">Makes sockets for datagrams; null = may not.</param>
/// <param name="time">Drives the repeats.</param>
internal sealed class RouterMapper(IPEndPoint router, Func<Socket?> create, TimeProvider time) : IPortMapper
{
    /// <summary>RFC 6887, 19: where routers listen.</summary>
    public const int RouterPort = 5_351;

    private const byte PcpVersion = 2;
    private const byte MapOpcode = 1;
    private const byte Answer = 0x80;
    private const int PcpSize = 60;
    private const int PmpSize = 16;

    /// <summary>RFC 6886, 3.1: 250 ms, doubled each time. Four times is enough for who is there.</summary>
    private static readonly TimeSpan FirstWait = TimeSpan.FromMilliseconds(250);
    private const int Attempts = 4;

    /// <summary>RFC 6887, 11.2: the same for all that is asked about one mapping, or nobody else could renew it.</summary>
    private readonly byte[] _nonce = RandomNumberGenerator.GetBytes(12);

    /// <inheritdoc/>
    public async Task<PortLease?> MapAsync(MappingProtocol protocol, int port, TimeSpan lifetime, CancellationToken cancellationToken)
    {
        try
        {
            using var socket = create();
            if (socket is null)
                return null;
            await socket.ConnectAsync(router, cancellationToken);
            var own = ((IPEndPoint)socket.LocalEndPoint!).Address;
            var seconds = (uint)lifetime.TotalSeconds;
            var reply = await AskAsync(socket, Pcp(own, protocol, port, seconds), IsReply, cancellationToken);
            if (reply is null)
                return null;
            if (reply[0] == PcpVersion)
                return Read(reply, port);

            // Version 0, result 1: unsupported version (RFC 6886, 3.5).
            reply = await AskAsync(socket, Pmp(protocol, port, seconds), bytes => bytes.Length >= PmpSize && bytes[0] == 0 && bytes[1] == (Answer | PmpOpcode(protocol)), cancellationToken);
            return reply is null || BinaryPrimitives.ReadUInt16BigEndian(reply.AsSpan(2)) != 0
                ? null
                : new PortLease(BinaryPrimitives.ReadUInt16BigEndian(reply.AsSpan(10)), TimeSpan.FromSeconds(BinaryPrimitives.ReadUInt32BigEndian(reply.AsSpan(12)))) { Protocol = "NAT-PMP" };
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // No route to it, or nobody listens.
            return null;
        }

        bool IsReply(byte[] bytes) =>
            bytes.Length >= 8 && (bytes[0] == PcpVersion ? bytes.Length >= PcpSize && bytes[1] == (Answer | MapOpcode) && bytes.AsSpan(24, 12).SequenceEqual(_nonce) : bytes[0] == 0);
    }

    private static byte PmpOpcode(MappingProtocol protocol) => protocol == MappingProtocol.Udp ? (byte)1 : (byte)2;

    /// <summary>RFC 6887, 7.2 and 11.2.</summary>
    private static PortLease? Read(byte[] reply, int port) =>
        reply[3] == 0 && BinaryPrimitives.ReadUInt16BigEndian(reply.AsSpan(40)) == port
            ? new PortLease(BinaryPrimitives.ReadUInt16BigEndian(reply.AsSpan(42)), TimeSpan.FromSeconds(BinaryPrimitives.ReadUInt32BigEndian(reply.AsSpan(4)))) { Protocol = "PCP", ExternalAddress = AddressOf(reply.AsSpan(44, 16)) }
            : null;

    /// <summary>RFC 6887, 5: an IPv4 address is mapped into an IPv6 one. Null for none.</summary>
    private static IPAddress? AddressOf(ReadOnlySpan<byte> bytes)
    {
        var address = new IPAddress(bytes);
        address = address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;
        return address.Equals(IPAddress.Any) || address.Equals(IPAddress.IPv6Any) ? null : address;
    }

    /// <summary>RFC 6886, 3.3: version 0, opcode, reserved, internal and external port, lifetime.</summary>
    private static byte[] Pmp(MappingProtocol protocol, int port, uint seconds)
    {
        var bytes = new byte[12];
        bytes[1] = PmpOpcode(protocol);
        BinaryPrimitives.WriteUInt16BigEndian(bytes.AsSpan(4), (ushort)port);
        BinaryPrimitives.WriteUInt16BigEndian(bytes.AsSpan(6), seconds == 0 ? (ushort)0 : (ushort)port);
        BinaryPrimitives.WriteUInt32BigEndian(bytes.AsSpan(8), seconds);
        return bytes;
    }

    /// <summary>RFC 6887, 7.1 and 11.1: version, opcode, lifetime, our address; nonce, protocol, internal and external port, external address.</summary>
    private byte[] Pcp(IPAddress own, MappingProtocol protocol, int port, uint seconds)
    {
        var bytes = new byte[PcpSize];
        bytes[0] = PcpVersion;
        bytes[1] = MapOpcode;
        BinaryPrimitives.WriteUInt32BigEndian(bytes.AsSpan(4), seconds);
        own.MapToIPv6().TryWriteBytes(bytes.AsSpan(8), out _);
        _nonce.CopyTo(bytes, 24);

        // IANA's numbers of the protocols.
        bytes[36] = protocol == MappingProtocol.Tcp ? (byte)6 : (byte)17;
        BinaryPrimitives.WriteUInt16BigEndian(bytes.AsSpan(40), (ushort)port);
        BinaryPrimitives.WriteUInt16BigEndian(bytes.AsSpan(42), (ushort)port);
        IPAddress.Any.MapToIPv6().TryWriteBytes(bytes.AsSpan(44), out _);
        return bytes;
    }

    private async Task<byte[]?> AskAsync(Socket socket, byte[] question, Func<byte[], bool> isReply, CancellationToken cancellationToken)
    {
        var buffer = new byte[1_100];
        for (var attempt = 0; attempt < Attempts; attempt++)
        {
            await socket.SendAsync(question, cancellationToken);
            using var patience = new CancellationTokenSource(FirstWait * (1 << attempt), time);
            using var either = CancellationTokenSource.CreateLinkedTokenSource(patience.Token, cancellationToken);
            try
            {
                while (true)
                {
                    var count = await socket.ReceiveAsync(buffer, either.Token);
                    var reply = buffer[..count];
                    if (isReply(reply))
                        return reply;
                }
            }
            catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
            {
                // Lost, perhaps.
            }
        }

        return null;
    }
}
