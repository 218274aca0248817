using NzbDav.Catalog.Tree;

namespace NzbDav.Import.Steps;

/// <summary>A file of a torrent as it will be published: a file of the torrent itself, or one inside an archive.</summary>
/// <param name="Path">Folders and name, all made safe.</param>
/// <param name="Index">Its index in the torrent; for a file in an archive, the index of the first volume.</param>
/// <param name="Size">Size in bytes as readers see it, after decryption.</param>
internal sealed record TorrentContentFile(IReadOnlyList<string> Path, int Index, long Size)
{
    /// <summary>Where it lies inside its archive; null: it is a file of the torrent itself.</summary>
    public TorrentLayout? Layout { get; init; }

    /// <summary>How to decrypt the bytes of the layout; null: they are the file's bytes.</summary>
    public FileEncryption? Encryption { get; init; }

    /// <summary>When it was modified, by its archive; null if unknown.</summary>
    public DateTimeOffset? Modified { get; init; }
}
