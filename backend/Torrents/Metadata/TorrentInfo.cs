using NzbDav.Content;

namespace NzbDav.Torrents.Metadata;

/// <summary>A torrent's info dictionary (BEP 3): its files and the hashes of its pieces. Immutable.</summary>
public sealed class TorrentInfo
{
    private readonly byte[] _pieces;

    internal TorrentInfo(InfoHash hash, ReadOnlyMemory<byte> raw, string name, int pieceLength, byte[] pieces,
        IReadOnlyList<TorrentFile> files, bool isPrivate)
    {
        Hash = hash;
        Raw = raw;
        Name = name;
        PieceLength = pieceLength;
        _pieces = pieces;
        Files = files;
        IsPrivate = isPrivate;
        Length = files.Count == 0 ? 0 : files[^1].Offset + files[^1].Length;
    }

    /// <summary>SHA-1 over <see cref="Raw"/>.</summary>
    public InfoHash Hash { get; }

    /// <summary>
    /// The version 2 hash of a hybrid torrent, by which the version 2 swarm identifies it (BEP 52, see <see cref="InfoHash.AliasOf"/>).
    /// Null for a torrent of version 1 only.
    /// </summary>
    public InfoHash? Alias { get; init; }

    /// <summary>The exact bytes of the dictionary. They are sent to other peers, and are needed to open the torrent again.</summary>
    public ReadOnlyMemory<byte> Raw { get; }

    /// <summary>The torrent's name, safe as a folder or file name.</summary>
    public string Name { get; }

    /// <summary>Bytes of each piece but the last.</summary>
    public int PieceLength { get; }

    /// <summary>
    /// The name exactly as in the torrent, percent-encoded: see <see cref="TorrentFile.Address"/>. Null if <see cref="Name"/>,
    /// percent-encoded, is the same.
    /// </summary>
    public string? Address { get; init; }

    /// <summary>True for a single file with the torrent's name, false for a folder.</summary>
    public bool IsSingleFile { get; init; }

    /// <summary>Number of pieces.</summary>
    public int PieceCount => _pieces.Length / InfoHash.Size;

    /// <summary>Total bytes, including padding.</summary>
    public long Length { get; }

    /// <summary>Files in the order of their bytes, including padding.</summary>
    public IReadOnlyList<TorrentFile> Files { get; }

    /// <summary>True if peers may come only from the trackers (BEP 27).</summary>
    public bool IsPrivate { get; }

    /// <summary>Bytes of one piece.</summary>
    public int SizeOf(int piece)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(piece);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(piece, PieceCount);
        return (int)Math.Min(PieceLength, Length - ((long)piece * PieceLength));
    }

    /// <summary>The expected SHA-1 of a piece: 20 bytes.</summary>
    public ReadOnlySpan<byte> HashOf(int piece) => _pieces.AsSpan(piece * InfoHash.Size, InfoHash.Size);
}

/// <summary>One file of a torrent.</summary>
/// <param name="Path">Safe and unique in the torrent: parts joined with '/', none of them empty, "." or ".."; without the torrent's own
/// name.</param>
/// <param name="Offset">Offset of its first byte in the torrent. The files of a torrent follow each other without gaps.</param>
/// <param name="Length">Bytes.</param>
/// <param name="IsPadding">True for zeros that only align the next file to a piece (BEP 47): it is never shown.</param>
public sealed record TorrentFile(string Path, long Offset, long Length, bool IsPadding)
{
    /// <summary>The file's range in the torrent.</summary>
    public ByteSpan Bytes => ByteSpan.OfLength(Offset, Length);

    /// <summary>
    /// The path exactly as in the torrent, percent-encoded, for web seeds. Null if <see cref="Path"/>, percent-encoded, is the same.
    /// </summary>
    public string? Address { get; init; }

    /// <summary>
    /// Number of symbolic links before the file in the metainfo; the list of files omits them. Added to the file's index in that list, it
    /// gives the file's number in the metainfo.
    /// </summary>
    public int LinksBefore { get; init; }
}
