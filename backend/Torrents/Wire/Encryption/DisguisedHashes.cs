using System.Collections.Concurrent;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Wire.Encryption;

/// <summary>Finds open torrents by the hash of their info-hash, by which an encrypted handshake names them. Thread-safe.</summary>
internal sealed class DisguisedHashes
{
    private readonly ConcurrentDictionary<InfoHash, InfoHash> _torrents = new();

    public void Add(InfoHash torrent) => _torrents[StreamKeys.Disguise(torrent)] = torrent;

    public void Remove(InfoHash torrent) => _torrents.TryRemove(StreamKeys.Disguise(torrent), out _);

    /// <summary>Null if no open torrent has this hash.</summary>
    public InfoHash? Find(InfoHash disguise) => _torrents.TryGetValue(disguise, out var torrent) ? torrent : null;
}
