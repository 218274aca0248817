using System.Buffers.Binary;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Mapping;

/// <summary>
/// Maps ports by PCP (RFC 6887), or by NAT-PMP (RFC 6886) if the router supports only that. Both use the same port, and an old router
/// answers that it does not support the new version. For IPv6 the mapping is a pinhole in the router's firewall (RFC 6887, 1).
/// </summary>
/// <param name="router">The gateway; port 5351 except in tests. Nothing is sent outside private networks.</param>
/// <param name="create">Creates sockets of the router's family; null = not allowed.</param>
/// <param name="time">Drives the repeats.</param>
/// <param name="local">Our address for which the port is opened; null = the one that leads to the router.</param>
internal sealed class RouterMapper(
    IPEndPoint router, Func<SocketType, Socket?> create, TimeProvider time, IPAddress? local = null) : IPortMapper
{
    /// <summary>The port on which routers listen (RFC 6887, 19).</summary>
    public const int RouterPort = 5_351;

    private const byte PcpVersion = 2;
    private const byte MapOpcode = 1;
    private const byte Answer = 0x80;
    private const int PcpSize = 60;
    private const int PmpSize = 16;
    private const int PmpAddressSize = 12;

    /// <summary>
    /// First wait for an answer: 250 ms, doubled each time (RFC 6886, 3.1). A router that supports the protocol answers within four
    /// attempts.
    /// </summary>
    private static readonly TimeSpan FirstWait = TimeSpan.FromMilliseconds(250);
    private const int Attempts = 4;

    /// <summary>Must be the same in all requests for one mapping; otherwise the mapping could not be renewed (RFC 6887, 11.2).</summary>
    private readonly byte[] _nonce = RandomNumberGenerator.GetBytes(12);

    public async Task<MappingOutcome> MapAsync(MappingProtocol protocol, int port, TimeSpan lifetime, CancellationToken cancellationToken)
    {
        try
        {
            using var socket = create(SocketType.Dgram);
            if (socket is null)
                return MappingOutcome.Silence;
            if (local is not null)
                socket.Bind(new IPEndPoint(local, 0));
            await socket.ConnectAsync(router, cancellationToken);
            var own = ((IPEndPoint)socket.LocalEndPoint!).Address;
            var seconds = (uint)lifetime.TotalSeconds;
            var reply = await RequestAsync(socket, Pcp(own, protocol, port, seconds), IsReply, cancellationToken);
            if (reply is null)
                return MappingOutcome.Silence;

            // Version 0, result 1: unsupported version (RFC 6886, 3.5).
            if (reply[0] != PcpVersion && own.AddressFamily == AddressFamily.InterNetworkV6)
                return MappingOutcome.Silence;
            return reply[0] == PcpVersion ? ReadPcp(reply, port) : await RequestNatPmpAsync(
                socket, protocol, port, seconds, cancellationToken);
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // There is no route to the router, or its port is closed.
            return MappingOutcome.Silence;
        }

        bool IsReply(byte[] bytes) =>
            bytes.Length >= 8 && (bytes[0] == PcpVersion ? bytes.Length >= PcpSize && bytes[1] == (Answer | MapOpcode)
                && bytes.AsSpan(24, 12).SequenceEqual(_nonce) : bytes[0] == 0);
    }

    /// <summary>Requests a mapping (RFC 6886, 3.3). The external address takes a separate request (3.2).</summary>
    private async Task<MappingOutcome> RequestNatPmpAsync(
        Socket socket, MappingProtocol protocol, int port, uint seconds, CancellationToken cancellationToken)
    {
        var reply = await RequestAsync(socket, Pmp(protocol, port, seconds),
            bytes => bytes.Length >= PmpSize && bytes[0] == 0 && bytes[1] == (Answer | PmpOpcode(protocol)), cancellationToken);
        if (reply is null)
            return MappingOutcome.Silence;
        if (BinaryPrimitives.ReadUInt16BigEndian(reply.AsSpan(2)) is var result and not 0)
            return Refused("NAT-PMP", result);
        var address = seconds == 0 ? null : await RequestAsync(
            socket, [0, 0], static bytes => bytes.Length >= PmpAddressSize && bytes[0] == 0 && bytes[1] == Answer, cancellationToken);
        return MappingOutcome.Granted(new PortLease(
            BinaryPrimitives.ReadUInt16BigEndian(reply.AsSpan(10)),
            TimeSpan.FromSeconds(BinaryPrimitives.ReadUInt32BigEndian(reply.AsSpan(12))),
            MappingMethod.NatPmp,
            address is [_, _, 0, 0, ..] ? Known(new IPAddress(address.AsSpan(8, 4))) : null));
    }

    private static byte PmpOpcode(MappingProtocol protocol) => protocol == MappingProtocol.Udp ? (byte)1 : (byte)2;

    /// <summary>Reads an answer to a PCP request (RFC 6887, 7.2 and 11.2).</summary>
    private static MappingOutcome ReadPcp(byte[] reply, int port) =>
        reply[3] != 0 ? Refused("PCP", reply[3])
        : BinaryPrimitives.ReadUInt16BigEndian(reply.AsSpan(40)) != port ? MappingOutcome.Silence
        : MappingOutcome.Granted(new PortLease(
            BinaryPrimitives.ReadUInt16BigEndian(reply.AsSpan(42)),
            TimeSpan.FromSeconds(BinaryPrimitives.ReadUInt32BigEndian(reply.AsSpan(4))),
            MappingMethod.Pcp,
            Known(new IPAddress(reply.AsSpan(44, 16)))));

    /// <summary>Only code 2 means the same in RFC 6886, 3.5 and RFC 6887, 7.4.</summary>
    private static MappingOutcome Refused(string protocol, int result) =>
        MappingOutcome.Refused(
            string.Create(CultureInfo.InvariantCulture, $"{protocol}: {(result == 2 ? "not authorized" : "result")} ({result})"));

    private static IPAddress? Known(IPAddress received)
    {
        var address = received.IsIPv4MappedToIPv6 ? received.MapToIPv4() : received;
        return address.Equals(IPAddress.Any) || address.Equals(IPAddress.IPv6Any) ? null : address;
    }

    /// <summary>A NAT-PMP request (RFC 6886, 3.3): version 0, opcode, reserved, internal and external port, lifetime.</summary>
    private static byte[] Pmp(MappingProtocol protocol, int port, uint seconds)
    {
        var bytes = new byte[12];
        bytes[1] = PmpOpcode(protocol);
        BinaryPrimitives.WriteUInt16BigEndian(bytes.AsSpan(4), (ushort)port);
        BinaryPrimitives.WriteUInt16BigEndian(bytes.AsSpan(6), seconds == 0 ? (ushort)0 : (ushort)port);
        BinaryPrimitives.WriteUInt32BigEndian(bytes.AsSpan(8), seconds);
        return bytes;
    }

    /// <summary>
    /// A PCP request (RFC 6887, 7.1 and 11.1): version, opcode, lifetime, our address; nonce, protocol, internal and external port,
    /// external address.
    /// </summary>
    private byte[] Pcp(IPAddress own, MappingProtocol protocol, int port, uint seconds)
    {
        var bytes = new byte[PcpSize];
        bytes[0] = PcpVersion;
        bytes[1] = MapOpcode;
        BinaryPrimitives.WriteUInt32BigEndian(bytes.AsSpan(4), seconds);
        own.MapToIPv6().TryWriteBytes(bytes.AsSpan(8), out _);
        _nonce.CopyTo(bytes, 24);

        // IANA's protocol numbers.
        bytes[36] = protocol == MappingProtocol.Tcp ? (byte)6 : (byte)17;
        BinaryPrimitives.WriteUInt16BigEndian(bytes.AsSpan(40), (ushort)port);
        BinaryPrimitives.WriteUInt16BigEndian(bytes.AsSpan(42), (ushort)port);

        // Requests any external address of the mapping's family.
        if (own.AddressFamily == AddressFamily.InterNetwork)
            IPAddress.Any.MapToIPv6().TryWriteBytes(bytes.AsSpan(44), out _);
        return bytes;
    }

    private async Task<byte[]?> RequestAsync(
        Socket socket, byte[] question, Func<byte[], bool> isReply, CancellationToken cancellationToken)
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
                // The request or the answer may have been lost.
            }
        }

        return null;
    }
}
