using System.Collections.Concurrent;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Wire.Encryption;

/// <summary>The open torrents by the hash of their hash: an encrypted handshake names them by that. Thread-safe.</summary>
internal sealed class DisguisedHashes
{
    private readonly ConcurrentDictionary<InfoHash, InfoHash> _torrents = new();

    public void Add(InfoHash torrent) => _torrents[StreamKeys.Disguise(torrent)] = torrent;

    public void Remove(InfoHash torrent) => _torrents.TryRemove(StreamKeys.Disguise(torrent), out _);

    /// <summary>Null if none is open that has this name.</summary>
    public InfoHash? Find(InfoHash disguise) => _torrents.TryGetValue(disguise, out var torrent) ? torrent : null;
}
