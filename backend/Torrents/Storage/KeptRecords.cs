using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Storage;

/// <summary>
/// Knows which torrents are kept, open or not, from the records in the cache folder. Gives each torrent its own folder. Thread-safe.
/// </summary>
/// <param name="folder">The folder of the records; null: nothing is kept.</param>
internal sealed class KeptRecords(string? folder)
{
    private readonly Lock _making = new();

    /// <summary>Checks whether the disks of the folders of kept torrents are mounted.</summary>
    public KeptRoots Roots { get; } = new(folder);

    /// <summary>
    /// Finds a folder that no other torrent has recorded, and records it. One torrent at a time: the folder is not created before the first
    /// piece is written, so two torrents of the same name would get the same one.
    /// </summary>
    /// <param name="info">The torrent.</param>
    /// <param name="root">The folder of all kept torrents.</param>
    /// <exception cref="IOException">The record cannot be written.</exception>
    public KeptPlace Make(TorrentInfo info, string root)
    {
        lock (_making)
        {
            // Names that differ only in case are the same folder on some file systems.
            var others = List().Where(hash => hash != info.Hash).Select(TryFind).OfType<KeptPlace>()
                .Where(place => place.Root == root).Select(static place => place.Folder);
            return KeptPlace.Make(PathOf(info.Hash), root, info, others.ToHashSet(StringComparer.OrdinalIgnoreCase).Contains);
        }
    }

    /// <summary>True if a torrent has a record, and so may have files in the folder of kept torrents.</summary>
    public bool Has(InfoHash hash) => folder is not null && File.Exists(PathOf(hash) + KeptPlace.Ending);

    /// <summary>Where a torrent is kept; null: nothing is kept of it.</summary>
    /// <exception cref="IOException">Its record cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">The same.</exception>
    public KeptPlace? Find(InfoHash hash) => folder is not null ? KeptPlace.Load(PathOf(hash)) : null;

    /// <summary>Like <see cref="Find"/>, but null also if the record cannot be read.</summary>
    public KeptPlace? TryFind(InfoHash hash)
    {
        try
        {
            return Find(hash);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

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

    /// <summary>Bytes of each file that a torrent's resume data recorded when it was last open; null: nothing is kept of it.</summary>
    public IReadOnlyList<long>? Read(InfoHash hash, IReadOnlyList<TorrentFile> files) =>
        folder is not null && ResumeFile.Read(PathOf(hash) + KeptPlace.ClaimsEnding, hash) is var (pieces, length, _)
            ? [.. files.Select(file => HeldBytes.Of(file, length, pieces))] : null;

    /// <summary>Removes the kept files of a torrent that is not open.</summary>
    /// <exception cref="IOException">Not everything could be removed. The record stays, so the next search for torrents that are no longer
    /// needed finds it again.</exception>
    public void Delete(InfoHash hash)
    {
        if (folder is not null && KeptPlace.Load(PathOf(hash)) is { } place)
            place.Delete(PathOf(hash), Roots);
    }

    private string PathOf(InfoHash hash) => Path.Combine(folder!, hash.ToString());
}
