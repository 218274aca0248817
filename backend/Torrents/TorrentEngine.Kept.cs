using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents;

/// <summary>The part about what torrents have on disk.</summary>
public sealed partial class TorrentEngine
{
    /// <summary>Closes a torrent if it is open, and removes what is kept of it on disk.</summary>
    public async Task RemoveAsync(InfoHash hash)
    {
        if (_torrents.TryGetValue(hash, out var torrent))
            await torrent.DisposeAsync();
        _context.Store.Delete(hash);
        _context.SavedPeers?.Delete(hash);
    }

    /// <summary>Torrents of which something is kept on disk, be it only where their peers were; perhaps open.</summary>
    public IReadOnlyList<InfoHash> ListKept() => [.. _context.Store.ListOnDisk().Union(_context.SavedPeers?.List() ?? [])];

    /// <summary>Something of a torrent is where torrents are kept, be it open or not.</summary>
    public bool IsKept(InfoHash hash) => _context.Store.IsKept(hash);

    /// <summary>Bytes that can be written where a torrent is kept, or would be; null: not known.</summary>
    public long? ReadFree(InfoHash hash) => _context.Store.ReadFree(hash);

    /// <summary>Bytes of each file of a kept torrent that it claimed to have when it was last open, without opening it: reads a small file. Null: nothing is kept of it, or not known.</summary>
    /// <param name="hash">The torrent.</param>
    /// <param name="files">All its files, padding included.</param>
    public IReadOnlyList<long>? ReadKept(InfoHash hash, IReadOnlyList<TorrentFile> files)
    {
        ArgumentNullException.ThrowIfNull(files);
        return _context.Store.ReadKept(hash, files);
    }
}
