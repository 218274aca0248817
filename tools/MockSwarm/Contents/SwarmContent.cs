using System.Security.Cryptography;

namespace NzbDav.MockSwarm.Contents;

/// <summary>
/// The bytes that a swarm shares, in memory, and their hashes. Pseudo-random from a seed. In huge torrents only the first pieces
/// are different and later ones repeat them, so that 20 GB are generated in a second. Immutable, thread-safe.
/// </summary>
public sealed class SwarmContent
{
    /// <summary>Most bytes that are generated; a longer torrent repeats them.</summary>
    public const long MostDistinctBytes = 1L << 30;

    private readonly byte[][] _pieces;
    private readonly byte[] _hashes;
    private readonly int _lastSize;

    private SwarmContent(IReadOnlyList<SwarmFile> files, int pieceLength, byte[][] pieces)
    {
        Files = files;
        PieceLength = pieceLength;
        Length = files.Sum(static file => file.Length);
        PieceCount = (int)((Length + pieceLength - 1) / pieceLength);
        _pieces = pieces;
        _lastSize = (int)(Length - ((long)(PieceCount - 1) * pieceLength));
        _hashes = Hash();
    }

    /// <summary>In the order of their bytes.</summary>
    public IReadOnlyList<SwarmFile> Files { get; }

    public int PieceLength { get; }

    public long Length { get; }

    public int PieceCount { get; }

    /// <summary>SHA-1 of each piece, 20 bytes each.</summary>
    public ReadOnlyMemory<byte> Hashes => _hashes;

    /// <summary>Generates bytes for these files.</summary>
    /// <param name="seed">The same seed gives the same bytes.</param>
    /// <param name="pieceLength">Bytes per piece.</param>
    /// <param name="files">The files, with at least one byte in total; padding files are zeros.</param>
    public static SwarmContent Make(ulong seed, int pieceLength, params IReadOnlyList<SwarmFile> files)
    {
        ArgumentNullException.ThrowIfNull(files);
        var length = files.Sum(static file => file.Length);
        if (length < 1)
            throw new ArgumentException("A torrent needs at least one byte.", nameof(files));
        ArgumentOutOfRangeException.ThrowIfLessThan(pieceLength, 1);
        var count = (length + pieceLength - 1) / pieceLength;

        var distinct = SwarmBytes.Distinct(length, pieceLength);
        var pieces = new byte[distinct][];
        Parallel.For(0, distinct, piece => pieces[piece] = MakePiece(seed, piece, pieceLength));
        if (distinct == count)
            ZeroPadding(pieces, pieceLength, files);
        return new SwarmContent(files, pieceLength, pieces);
    }

    /// <summary>Shares existing bytes.</summary>
    public static SwarmContent Of(int pieceLength, IReadOnlyList<SwarmFile> files, ReadOnlySpan<byte> bytes)
    {
        var count = (bytes.Length + pieceLength - 1) / pieceLength;
        var pieces = new byte[count][];
        for (var i = 0; i < count; i++)
        {
            pieces[i] = new byte[pieceLength];
            bytes.Slice(i * pieceLength, Math.Min(pieceLength, bytes.Length - (i * pieceLength))).CopyTo(pieces[i]);
        }

        return new SwarmContent(files, pieceLength, pieces);
    }

    /// <summary>Number of bytes in one piece.</summary>
    public int SizeOf(int piece) => piece == PieceCount - 1 ? _lastSize : PieceLength;

    /// <summary>The bytes of one piece.</summary>
    public ReadOnlySpan<byte> Piece(int piece) => _pieces[piece % _pieces.Length].AsSpan(0, SizeOf(piece));

    /// <summary>Copies bytes from an offset in the whole stream on.</summary>
    public void Fill(long offset, Span<byte> destination)
    {
        while (!destination.IsEmpty)
        {
            var part = Piece((int)(offset / PieceLength))[(int)(offset % PieceLength)..];
            if (part.Length > destination.Length)
                part = part[..destination.Length];
            part.CopyTo(destination);
            destination = destination[part.Length..];
            offset += part.Length;
        }
    }

    /// <summary>Offset of a file's first byte.</summary>
    public long OffsetOf(string path)
    {
        long offset = 0;
        foreach (var file in Files)
        {
            if (file.Path == path)
                return offset;
            offset += file.Length;
        }

        throw new ArgumentException($"There is no file {path}.", nameof(path));
    }

    private static byte[] MakePiece(ulong seed, int piece, int length)
    {
        var bytes = GC.AllocateUninitializedArray<byte>(length);
        SwarmBytes.FillPiece(SwarmBytes.Key(seed, piece), 0, bytes);
        return bytes;
    }

    private static void ZeroPadding(byte[][] pieces, int pieceLength, IReadOnlyList<SwarmFile> files)
    {
        long offset = 0;
        foreach (var file in files)
        {
            for (var at = offset; file.IsPadding && at < offset + file.Length; at++)
                pieces[at / pieceLength][at % pieceLength] = 0;
            offset += file.Length;
        }
    }

    private byte[] Hash()
    {
        var hashes = new byte[PieceCount * 20];
        var distinct = Math.Min(_pieces.Length, PieceCount);
#pragma warning disable CA5350 // The protocol's own hash.
        Parallel.For(0, distinct, piece => SHA1.HashData(Piece(piece), hashes.AsSpan(piece * 20, 20)));
        for (var piece = distinct; piece < PieceCount - 1; piece++)
            hashes.AsSpan(piece % distinct * 20, 20).CopyTo(hashes.AsSpan(piece * 20, 20));
        SHA1.HashData(Piece(PieceCount - 1), hashes.AsSpan((PieceCount - 1) * 20, 20));
#pragma warning restore CA5350
        return hashes;
    }
}

/// <summary>A file to share.</summary>
/// <param name="Path">Its path in the torrent, parts joined with '/'.</param>
/// <param name="Length">Length in bytes.</param>
/// <param name="IsPadding">True for a padding file: zeros, marked as in BEP 47.</param>
/// <param name="IsLink">True for a symbolic link to "target", marked as in BEP 47; without bytes of its own.</param>
public sealed record SwarmFile(string Path, long Length, bool IsPadding = false, bool IsLink = false);
