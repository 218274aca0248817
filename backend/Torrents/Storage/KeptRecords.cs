using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Storage;

/// <summary>Lists which torrents are kept, open or not, from the records in the cache folder. Thread-safe.</summary>
/// <param name="folder">Where the records are; null: nothing is kept.</param>
internal sealed class KeptRecords(string? folder)
{
    /// <summary>True if a torrent has a record, and so files in the folder for kept torrents.</summary>
    public bool Has(InfoHash hash) => folder is not null && File.Exists(PathOf(hash) + KeptPlace.Ending);

    /// <summary>Where a torrent is kept; null: nothing is kept of it.</summary>
    public KeptPlace? Find(InfoHash hash) => folder is not null ? KeptPlace.Load(PathOf(hash)) : null;

    /// <summary>All torrents that have a record.</summary>
    public IEnumerable<InfoHash> List()
    {
        if (folder is null || !Directory.Exists(folder))
            yield break;
        foreach (var path in Directory.GetFiles(folder, "*" + KeptPlace.Ending))
        {
            if (InfoHash.TryParse(Path.GetFileNameWithoutExtension(path), out var hash))
                yield return hash;
        }
    }

    /// <summary>Bytes of each file that a torrent claimed to have when it was last open; null: nothing is kept of it.</summary>
    public IReadOnlyList<long>? Read(InfoHash hash, IReadOnlyList<TorrentFile> files) =>
        folder is not null && ResumeFile.Read(PathOf(hash) + KeptPlace.ClaimsEnding, hash) is var (pieces, length) ? [.. files.Select(file => HeldBytes.Of(file, length, pieces))] : null;

    /// <summary>Removes the kept files of a torrent that is not open.</summary>
    public void Delete(InfoHash hash)
    {
        try
        {
            if (folder is not null && KeptPlace.Load(PathOf(hash)) is { } place)
                place.Delete(PathOf(hash));
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The record is left, so the next search for torrents that are no longer needed finds it again.
        }
    }

    private string PathOf(InfoHash hash) => Path.Combine(folder!, hash.ToString());
}
