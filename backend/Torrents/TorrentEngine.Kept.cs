using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents;

/// <summary>Data that torrents have on disk.</summary>
public sealed partial class TorrentEngine
{
    /// <summary>Closes a torrent if it is open, and removes all its data on disk.</summary>
    /// <exception cref="IOException">Some of its kept files could not be removed. <see cref="ListKept"/> still has it.</exception>
    public async Task RemoveAsync(InfoHash hash)
    {
        try
        {
            if (_torrents.TryGetValue(hash, out var torrent))
                await torrent.DisposeAsync();
        }
        finally
        {
            // Its files are closed even if something else of it failed to close.
            _context.SavedPeers?.Delete(hash);
            _context.Store.Delete(hash);
        }
    }

    /// <summary>Torrents that have anything on disk, even if only saved peers; open or not.</summary>
    public IReadOnlyList<InfoHash> ListKept() => [.. _context.Store.ListOnDisk().Union(_context.SavedPeers?.List() ?? [])];

    /// <summary>True if a torrent has files in the folder for kept torrents, whether it is open or not.</summary>
    public bool IsKept(InfoHash hash) => _context.Store.IsKept(hash);

    /// <summary>Why the kept files of a torrent that is not open cannot be used: see <see cref="Torrent.Missing"/>. Null: they can. Looks
    /// at all its files.</summary>
    public string? FindMissing(TorrentInfo info)
    {
        ArgumentNullException.ThrowIfNull(info);
        return _context.Store.FindMissing(info);
    }

    /// <summary>Free bytes on the disk where a torrent is kept, or would be; null: not known.</summary>
    public long? ReadFree(InfoHash hash) => _context.Store.ReadFree(hash);

    /// <summary>Bytes of each file of a kept torrent that it held when last open, without opening it: reads a small file. Null: nothing is kept of it, or not
    /// known.</summary>
    /// <param name="hash">The torrent.</param>
    /// <param name="files">All its files, padding included.</param>
    public IReadOnlyList<long>? ReadKept(InfoHash hash, IReadOnlyList<TorrentFile> files)
    {
        ArgumentNullException.ThrowIfNull(files);
        return _context.Store.ReadKept(hash, files);
    }
}
