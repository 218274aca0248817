using System.Buffers;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// Fetches the info dictionary from peers (BEP 9) when only its hash is known. All of it is asked of one peer at a time, with a second one taking
/// over after a silence; what does not fit the hash is thrown away and its sender not asked again. Used under the torrent's lock.
/// </summary>
internal sealed class MetadataExchange(InfoHash hash)
{
    /// <summary>BEP 9.</summary>
    public const int PieceSize = 16 << 10;

    private static readonly long Patience = 3 * TimeSpan.TicksPerSecond;
    private readonly HashSet<int> _tried = [];
    private Peer? _source;
    private byte[]? _bytes;
    private bool[] _come = [];
    private int _missing;
    private long _since;

    /// <summary>Begins with a peer if nobody else is at it. True if messages were added to its outbox.</summary>
    public bool TryBegin(Peer peer, long now)
    {
        if (peer.Told.MetadataId == 0 || peer.Told.MetadataSize == 0 || peer.IsClosed || _tried.Contains(peer.Number))
            return false;
        if (_source is { IsClosed: false } && now - _since < Patience)
            return false;
        _tried.Add(peer.Number);
        _source = peer;
        _since = now;

        // Reserved only as it comes: a size is cheap to claim.
        _bytes = null;
        var pieces = (peer.Told.MetadataSize + PieceSize - 1) / PieceSize;
        _come = new bool[pieces];
        _missing = pieces;
        var output = new ArrayBufferWriter<byte>(64);
        for (var piece = 0; piece < pieces; piece++)
        {
            output.ResetWrittenCount();
            WriteHead(output, 0, piece, 0);
            peer.Outbox.Extended(peer.Told.MetadataId, output.WrittenSpan);
        }

        return true;
    }

    /// <summary>Everybody was asked in vain: begin again.</summary>
    public void Forgive() => _tried.Clear();

    /// <summary>A message of the exchange came. The info dictionary if that completes it and it fits the hash; <paramref name="liar"/> if it does not.</summary>
    public byte[]? Take(Peer peer, ReadOnlySpan<byte> payload, long now, out bool liar)
    {
        liar = false;
        var reader = new BencodeReader(payload);
        if (peer != _source || !TryReadHead(ref reader, out var type, out var piece))
            return null;
        if (type == 2)
            _source = null;
        if (type != 1 || (uint)piece >= (uint)_come.Length || _come[piece])
            return null;
        var size = peer.Told.MetadataSize;
        var data = payload[reader.Position..];
        if (data.Length != Math.Min(PieceSize, size - (piece * PieceSize)))
            return null;
        _since = now;
        _bytes = Room(_bytes, (piece * PieceSize) + data.Length, size);
        data.CopyTo(_bytes.AsSpan(piece * PieceSize));
        _come[piece] = true;
        if (--_missing > 0)
            return null;
        _source = null;
        liar = InfoHash.Of(_bytes.AsSpan(0, size)) != hash;
        return liar ? null : _bytes.AsSpan(0, size).ToArray();
    }

    /// <summary>Reads what a peer asks of us: the piece's number; −1 if it asks nothing.</summary>
    public static int ReadRequest(ReadOnlySpan<byte> payload)
    {
        var reader = new BencodeReader(payload);
        return TryReadHead(ref reader, out var type, out var piece) && type == 0 ? piece : -1;
    }

    /// <summary>{msg_type, piece, total_size} before the data of a piece (BEP 9).</summary>
    public static void WriteHead(IBufferWriter<byte> output, int type, int piece, int size)
    {
        var writer = new BencodeWriter(output);
        writer.BeginDictionary();
        writer.Text("msg_type"u8);
        writer.Integer(type);
        writer.Text("piece"u8);
        writer.Integer(piece);
        if (size > 0)
        {
            writer.Text("total_size"u8);
            writer.Integer(size);
        }

        writer.End();
    }

    private static byte[] Room(byte[]? bytes, int needed, int size)
    {
        if (bytes is not null && bytes.Length >= needed)
            return bytes;
        var larger = new byte[Math.Min(size, Math.Max(needed, (bytes?.Length ?? 0) * 2))];
        bytes?.CopyTo(larger, 0);
        return larger;
    }

    private static bool TryReadHead(ref BencodeReader reader, out long type, out int piece)
    {
        type = -1;
        piece = -1;
        if (!reader.ReadValue(BencodeToken.Dictionary))
            return false;
        while (reader.ReadKey())
        {
            if (reader.Text.SequenceEqual("msg_type"u8))
                type = reader.ReadInteger(-1);
            else if (reader.Text.SequenceEqual("piece"u8))
                piece = (int)Math.Clamp(reader.ReadInteger(-1), -1, int.MaxValue);
            else
                reader.SkipValue();
        }

        return reader.Error is null && type >= 0 && piece >= 0;
    }
}
