using NzbDav.Catalog;

namespace NzbDav.Import;

/// <summary>A file of a torrent as it will be published: as it is, or out of an archive.</summary>
/// <param name="Path">Folders and name, all made safe.</param>
/// <param name="Index">Its number in the torrent; of a file in an archive that of the first volume.</param>
/// <param name="Size">Bytes of the file as it opens.</param>
internal sealed record TorrentContentFile(IReadOnlyList<string> Path, int Index, long Size)
{
    /// <summary>Where it lies inside its archive; null: it is the torrent's file.</summary>
    public TorrentLayout? Layout { get; init; }

    /// <summary>How it comes out of the layout; null: it is the layout's bytes.</summary>
    public FileEncryption? Encryption { get; init; }

    /// <summary>When it was packed; null when nobody says.</summary>
    public DateTimeOffset? Modified { get; init; }
}
