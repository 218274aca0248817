using System.Buffers.Binary;

namespace NzbDav.Torrents.Wire;

/// <summary>The messages as the wire has them.</summary>
internal sealed partial class Outbox
{
    public void Handshake(in Handshake handshake)
    {
        lock (_gate)
            handshake.Write(Room(Wire.Handshake.Size));
    }

    /// <summary>&lt;len=0001&gt;&lt;id&gt;</summary>
    public void Message(MessageId id)
    {
        lock (_gate)
            Head(Room(5), id);
    }

    /// <summary>&lt;len=0000&gt;</summary>
    public void KeepAlive()
    {
        lock (_gate)
            Room(4).Clear();
    }

    /// <summary>&lt;len=0005&gt;&lt;id&gt;&lt;piece&gt;: have, suggest, allowed fast.</summary>
    public void Piece(MessageId id, int piece)
    {
        lock (_gate)
        {
            var span = Room(9);
            Head(span, id);
            BinaryPrimitives.WriteInt32BigEndian(span[5..], piece);
        }
    }

    /// <summary>&lt;len=0013&gt;&lt;id&gt;&lt;piece&gt;&lt;begin&gt;&lt;length&gt;: request, cancel, reject.</summary>
    public void Block(MessageId id, int piece, int begin, int length)
    {
        lock (_gate)
        {
            var span = Room(17);
            Head(span, id);
            BinaryPrimitives.WriteInt32BigEndian(span[5..], piece);
            BinaryPrimitives.WriteInt32BigEndian(span[9..], begin);
            BinaryPrimitives.WriteInt32BigEndian(span[13..], length);
        }
    }

    /// <summary>&lt;len=0001+X&gt;&lt;id&gt;&lt;payload&gt;</summary>
    public void Message(MessageId id, ReadOnlySpan<byte> payload)
    {
        lock (_gate)
        {
            var span = Room(5 + payload.Length);
            Head(span, id);
            payload.CopyTo(span[5..]);
        }
    }

    /// <summary>&lt;len&gt;&lt;20&gt;&lt;extended id&gt;&lt;payload&gt; (BEP 10)</summary>
    public void Extended(byte id, ReadOnlySpan<byte> payload, ReadOnlySpan<byte> rest = default)
    {
        lock (_gate)
        {
            var span = Room(6 + payload.Length + rest.Length);
            Head(span, MessageId.Extended);
            span[5] = id;
            payload.CopyTo(span[6..]);
            rest.CopyTo(span[(6 + payload.Length)..]);
        }
    }

    /// <summary>&lt;len=0009+X&gt;&lt;7&gt;&lt;piece&gt;&lt;begin&gt;: the header of a block.</summary>
    public static void PieceHead(Span<byte> message, int piece, int begin, int length)
    {
        BinaryPrimitives.WriteInt32BigEndian(message, 9 + length);
        message[4] = (byte)MessageId.Piece;
        BinaryPrimitives.WriteInt32BigEndian(message[5..], piece);
        BinaryPrimitives.WriteInt32BigEndian(message[9..], begin);
    }

    private static void Head(Span<byte> message, MessageId id)
    {
        BinaryPrimitives.WriteInt32BigEndian(message, message.Length - 4);
        message[4] = (byte)id;
    }
}
