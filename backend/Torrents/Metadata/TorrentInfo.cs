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
    /// Of a hybrid torrent: its second name, by which the swarm of version 2 knows it (BEP 52, see <see cref="InfoHash.AliasOf"/>). Null =
    /// a torrent of version 1 only.
    /// </summary>
    public InfoHash? Alias { get; init; }

    /// <summary>The exact bytes of the dictionary: sent to other peers, and needed to open the torrent again.</summary>
    public ReadOnlyMemory<byte> Raw { get; }

    /// <summary>The torrent's name, safe as a folder or file name.</summary>
    public string Name { get; }

    /// <summary>Bytes of each piece but the last.</summary>
    public int PieceLength { get; }

    /// <summary>
    /// Its name as the torrent spells it, percent-encoded: see <see cref="TorrentFile.Address"/>. Null = as <see cref="Name"/> is.
    /// </summary>
    public string? Address { get; init; }

    /// <summary>It is one file that has the torrent's name, not a folder.</summary>
    public bool IsSingleFile { get; init; }

    /// <summary>Number of pieces.</summary>
    public int PieceCount => _pieces.Length / InfoHash.Size;

    /// <summary>Bytes in all, padding included.</summary>
    public long Length { get; }

    /// <summary>Files in the order of their bytes, padding included.</summary>
    public IReadOnlyList<TorrentFile> Files { get; }

    /// <summary>Peers come from the tracker only (BEP 27).</summary>
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
/// <param name="Path">Safe and unique in the torrent: parts joined with '/', none empty, "." or ".."; without the torrent's own
/// name.</param>
/// <param name="Offset">Offset of its first byte in the torrent, whose files follow each other without gaps.</param>
/// <param name="Length">Bytes.</param>
/// <param name="IsPadding">Zeros that only align the next file to a piece (BEP 47): never shown.</param>
public sealed record TorrentFile(string Path, long Offset, long Length, bool IsPadding)
{
    /// <summary>Its path as the torrent spells it, percent-encoded, where that is not how <see cref="Path"/> would be: web seeds know no
    /// other. Null = it is.</summary>
    public string? Address { get; init; }

    /// <summary>Symbolic links before it in the metainfo that the list of files leaves out: with its index in that list they make the
    /// number that it has in the metainfo.</summary>
    public int LinksBefore { get; init; }
}
