using System.Buffers;

namespace NzbDav.Torrents.Metadata;

/// <summary>A message of ut_metadata (BEP 9): <c>{msg_type, piece, total_size}</c>, followed by the piece's bytes if it is data.</summary>
/// <param name="Type">One of the constants, or an unknown newer type.</param>
/// <param name="Piece">Number of the piece.</param>
/// <param name="DataStart">Offset of the piece's bytes in the message.</param>
internal readonly record struct MetadataMessage(long Type, int Piece, int DataStart)
{
    /// <summary>Bytes of each piece but the last (BEP 9).</summary>
    public const int PieceSize = 16 << 10;

    public const int Request = 0;
    public const int Data = 1;
    public const int Reject = 2;

    /// <summary>Number of pieces of a dictionary of this size in bytes.</summary>
    public static int Pieces(int size) => (size + PieceSize - 1) / PieceSize;

    /// <summary>Bytes of one piece.</summary>
    public static int SizeOf(int piece, int size) => Math.Min(PieceSize, size - (piece * PieceSize));

    /// <summary>Reads the bytes after the extended id. False if they are not a ut_metadata message.</summary>
    public static bool TryRead(ReadOnlySpan<byte> payload, out MetadataMessage message)
    {
        message = default;
        var reader = new BencodeReader(payload);
        if (!reader.ReadValue(BencodeToken.Dictionary))
            return false;
        long type = -1;
        var piece = -1;
        while (reader.ReadKey())
        {
            if (reader.Text.SequenceEqual("msg_type"u8))
                type = reader.ReadInteger(-1);
            else if (reader.Text.SequenceEqual("piece"u8))
                piece = (int)Math.Clamp(reader.ReadInteger(-1), -1, int.MaxValue);
            else
                reader.SkipValue();
        }

        message = new MetadataMessage(type, piece, reader.Position);
        return reader.Error is null && type >= 0 && piece >= 0;
    }

    /// <summary>Writes the dictionary.</summary>
    /// <param name="output">Receives the bytes.</param>
    /// <param name="type">One of the constants.</param>
    /// <param name="piece">The piece.</param>
    /// <param name="size">Total bytes of the dictionary, with <see cref="Data"/>; 0 = not sent.</param>
    public static void Write(IBufferWriter<byte> output, int type, int piece, int size = 0)
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
}
