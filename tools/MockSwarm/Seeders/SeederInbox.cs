using System.Buffers.Binary;
using System.Globalization;
using System.Text;

namespace NzbDav.MockSwarm.Seeders;

/// <summary>Parses the messages of a leecher. Not thread-safe.</summary>
internal sealed class SeederInbox(Action<Incoming> deliver, Func<long> due)
{
    /// <summary>Longest message in bytes. No message that a seeder handles is longer.</summary>
    private const int MostMessage = 1 << 20;

    private const int HandshakeBytes = 68;
    private bool _greeted;

    /// <summary>The leecher's number for ut_metadata; 0 until it has sent one.</summary>
    public int MetadataId { get; private set; }

    /// <summary>True if it set the bit of the fast extension (BEP 6).</summary>
    public bool Fast { get; private set; }

    /// <summary>True if it set the bit of the extension protocol (BEP 10).</summary>
    public bool Extensions { get; private set; }

    /// <summary>Info-hash of the requested torrent.</summary>
    public byte[] Hash { get; } = new byte[20];

    /// <summary>Parses the complete messages at the front; returns the number of bytes, or −1 for invalid input.</summary>
    public int Take(ReadOnlySpan<byte> bytes)
    {
        var taken = 0;
        if (!_greeted)
        {
            if (bytes.Length < HandshakeBytes)
                return 0;
            if (bytes[0] != 19 || !bytes.Slice(1, 19).SequenceEqual("BitTorrent protocol"u8))
                return -1;
            Fast = (bytes[27] & 0x04) != 0;
            Extensions = (bytes[25] & 0x10) != 0;
            bytes.Slice(28, 20).CopyTo(Hash);
            _greeted = true;
            taken = HandshakeBytes;
            deliver(new Incoming(IncomingKind.Handshake, 0, 0, 0, due()));
        }

        while (bytes.Length - taken >= 4)
        {
            var length = BinaryPrimitives.ReadInt32BigEndian(bytes[taken..]);
            if (length is < 0 or > MostMessage)
                return -1;
            if (bytes.Length - taken - 4 < length)
                break;
            if (length > 0)
                TakeMessage(bytes.Slice(taken + 4, length));
            taken += 4 + length;
        }

        return taken;
    }

    private void TakeMessage(ReadOnlySpan<byte> message)
    {
        switch (message[0])
        {
            case 2:
                deliver(new Incoming(IncomingKind.Interested, 0, 0, 0, due()));
                break;
            case 3:
                deliver(new Incoming(IncomingKind.NotInterested, 0, 0, 0, due()));
                break;
            case 6 or 8 when message.Length == 13:
                deliver(new Incoming(
                    message[0] == 6 ? IncomingKind.Request : IncomingKind.Cancel,
                    BinaryPrimitives.ReadInt32BigEndian(message[1..]),
                    BinaryPrimitives.ReadInt32BigEndian(message[5..]),
                    BinaryPrimitives.ReadInt32BigEndian(message[9..]),
                    due()));
                break;
            case 20 when message.Length > 2 && message[1] == 0:
                MetadataId = Number(message, "11:ut_metadatai") ?? 0;
                break;
            case 20 when message.Length > 2 && Number(message, "8:msg_typei") == 0:
                deliver(new Incoming(IncomingKind.MetadataRequest, Number(message, "5:piecei") ?? 0, 0, 0, due()));
                break;
        }
    }

    private static int? Number(ReadOnlySpan<byte> message, string after)
    {
        var text = Encoding.Latin1.GetString(message);
        var at = text.IndexOf(after, StringComparison.Ordinal);
        if (at < 0)
            return null;
        var from = at + after.Length;
        return int.TryParse(text.AsSpan(from, text.IndexOf('e', from) - from), NumberStyles.None, CultureInfo.InvariantCulture,
            out var number) ? number : null;
    }
}

/// <summary>
/// A message on its way to a seeder: it takes effect one round trip after it was read, which is when a real answer would arrive.
/// </summary>
internal readonly record struct Incoming(IncomingKind Kind, int Piece, int Begin, int Length, long Due);

/// <summary>The messages that a seeder reacts to.</summary>
internal enum IncomingKind
{
    Handshake,
    Interested,
    NotInterested,
    Request,
    Cancel,
    MetadataRequest,
}
