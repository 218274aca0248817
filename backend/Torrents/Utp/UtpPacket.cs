using System.Buffers.Binary;

namespace NzbDav.Torrents.Utp;

/// <summary>Types of packets (BEP 29).</summary>
internal enum UtpType : byte
{
    /// <summary>Carries bytes of the stream.</summary>
    Data = 0,

    /// <summary>The stream ends here.</summary>
    Fin = 1,

    /// <summary>Acknowledges. Carries no bytes and has no number of its own.</summary>
    State = 2,

    /// <summary>The connection has ended.</summary>
    Reset = 3,

    /// <summary>Opens a connection.</summary>
    Syn = 4,
}

/// <summary>
/// A packet of version 1, as a view of its datagram. BEP 29:
/// <code>
/// type (4 bits), ver (4 bits), extension (8), connection_id (16)
/// timestamp_microseconds (32)
/// timestamp_difference_microseconds (32)
/// wnd_size (32)
/// seq_nr (16), ack_nr (16)
/// extensions: next extension (8), length (8), bytes; then the payload
/// </code>
/// </summary>
internal readonly ref struct UtpPacket
{
    /// <summary>Bytes before the extensions.</summary>
    public const int HeaderSize = 20;

    private const int Version = 1;
    private const byte SelectiveAck = 1;

    public UtpType Type { get; private init; }

    /// <summary>Connection id: identifies the connection to the receiver, except in a SYN.</summary>
    public ushort Id { get; private init; }

    /// <summary>The sender's clock at sending, in microseconds; wraps around.</summary>
    public uint Sent { get; private init; }

    /// <summary>
    /// Time that the last packet in the other direction was under way: microseconds between two different clocks. 0 = unknown.
    /// </summary>
    public uint Delay { get; private init; }

    /// <summary>Number of bytes that the sender can receive.</summary>
    public uint Window { get; private init; }

    /// <summary>Number of this packet. For a <see cref="UtpType.State"/>, the number that the next packet will have.</summary>
    public ushort Sequence { get; private init; }

    /// <summary>The sender has received all packets up to this one.</summary>
    public ushort Acknowledged { get; private init; }

    /// <summary>
    /// A bit for each packet from <see cref="Acknowledged"/> + 2 on, beginning with the lowest bit of each byte; empty = none.
    /// </summary>
    public ReadOnlySpan<byte> Selective { get; private init; }

    /// <summary>Bytes of the stream.</summary>
    public ReadOnlySpan<byte> Payload { get; private init; }

    /// <summary>
    /// True if a datagram begins like a packet of this version. No message of the DHT (<c>d</c>) or of a UDP tracker (0) begins like that.
    /// </summary>
    public static bool CanBegin(ReadOnlySpan<byte> datagram) =>
        datagram.Length > 0 && (datagram[0] & 0x0F) == Version && datagram[0] >> 4 <= (int)UtpType.Syn;

    /// <summary>Reads a packet. Unknown extensions are skipped. False if it cannot be a packet.</summary>
    public static bool TryRead(ReadOnlySpan<byte> datagram, out UtpPacket packet)
    {
        packet = default;
        if (datagram.Length < HeaderSize || !CanBegin(datagram))
            return false;
        var selective = ReadOnlySpan<byte>.Empty;
        var at = HeaderSize;

        // Each extension has at least two bytes, so the chain ends.
        for (var extension = datagram[1]; extension != 0;)
        {
            if (at + 2 > datagram.Length)
                return false;
            var (next, length) = (datagram[at], datagram[at + 1]);
            at += 2;
            if (at + length > datagram.Length)
                return false;

            // "The bitmask is at least 32 bits, in multiples of 32 bits."
            if (extension == SelectiveAck && length >= 4 && length % 4 == 0)
                selective = datagram.Slice(at, length);
            at += length;
            extension = next;
        }

        packet = new UtpPacket
        {
            Type = (UtpType)(datagram[0] >> 4),
            Id = BinaryPrimitives.ReadUInt16BigEndian(datagram[2..]),
            Sent = BinaryPrimitives.ReadUInt32BigEndian(datagram[4..]),
            Delay = BinaryPrimitives.ReadUInt32BigEndian(datagram[8..]),
            Window = BinaryPrimitives.ReadUInt32BigEndian(datagram[12..]),
            Sequence = BinaryPrimitives.ReadUInt16BigEndian(datagram[16..]),
            Acknowledged = BinaryPrimitives.ReadUInt16BigEndian(datagram[18..]),
            Selective = selective,
            Payload = datagram[at..],
        };
        return true;
    }

    /// <summary>Writes the header of a packet.</summary>
    /// <param name="to">At least <see cref="HeaderSize"/> bytes.</param>
    /// <param name="header">Its fields.</param>
    /// <param name="hasSelective">True if a selective acknowledgement follows: see <see cref="WriteSelective"/>.</param>
    public static void Write(Span<byte> to, in UtpHeader header, bool hasSelective = false)
    {
        to[0] = (byte)(((int)header.Type << 4) | Version);
        to[1] = hasSelective ? SelectiveAck : (byte)0;
        BinaryPrimitives.WriteUInt16BigEndian(to[2..], header.Id);
        BinaryPrimitives.WriteUInt32BigEndian(to[4..], header.Sent);
        BinaryPrimitives.WriteUInt32BigEndian(to[8..], header.Delay);
        BinaryPrimitives.WriteUInt32BigEndian(to[12..], header.Window);
        BinaryPrimitives.WriteUInt16BigEndian(to[16..], header.Sequence);
        BinaryPrimitives.WriteUInt16BigEndian(to[18..], header.Acknowledged);
    }

    /// <summary>Writes the only extension of a packet.</summary>
    /// <param name="to">The packet's bytes after the header.</param>
    /// <param name="bits">At least four bytes, a multiple of four.</param>
    /// <returns>Bytes written.</returns>
    public static int WriteSelective(Span<byte> to, ReadOnlySpan<byte> bits)
    {
        to[0] = 0;
        to[1] = (byte)bits.Length;
        bits.CopyTo(to[2..]);
        return bits.Length + 2;
    }
}

/// <summary>The fields of a packet's header: see <see cref="UtpPacket"/>.</summary>
internal readonly record struct UtpHeader(
    UtpType Type, ushort Id, uint Sent, uint Delay, uint Window, ushort Sequence, ushort Acknowledged);
