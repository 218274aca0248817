using System.Collections.Concurrent;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// The second names of hybrid torrents (see <see cref="TorrentInfo.Alias"/>). A magnet link can claim any, so each leads to one torrent
/// only: a name that is the info-hash of an open torrent is that torrent's alone, and of two torrents with one alias the first has it.
/// Takes no lock. Thread-safe.
/// </summary>
/// <param name="isOpen">True for the info-hash of an open torrent.</param>
/// <param name="opened">Called when peers may use a name.</param>
/// <param name="closed">Called when they may no longer.</param>
internal sealed class TorrentAliases(Func<InfoHash, bool> isOpen, Action<InfoHash> opened, Action<InfoHash> closed)
{
    private readonly ConcurrentDictionary<InfoHash, InfoHash> _owners = new();

    /// <summary>Info-hash of the torrent that has this alias; null if none has it, or it is another one's info-hash.</summary>
    public InfoHash? Find(InfoHash alias) => _owners.TryGetValue(alias, out var owner) && !isOpen(alias) ? owner : null;

    /// <summary>Gives a torrent an alias, unless another has it.</summary>
    public void Take(InfoHash alias, InfoHash torrent)
    {
        if (_owners.TryAdd(alias, torrent))
            opened(alias);
    }

    /// <summary>Takes it away, if the torrent has it.</summary>
    public void Release(InfoHash alias, InfoHash torrent)
    {
        if (_owners.TryRemove(new KeyValuePair<InfoHash, InfoHash>(alias, torrent)))
            closed(alias);
    }
}
