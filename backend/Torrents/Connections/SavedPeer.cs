using System.Net;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Connections;

/// <summary>An address at which a peer was reached.</summary>
/// <param name="Endpoint">The address.</param>
/// <param name="Sources">How it was learned.</param>
/// <param name="IsPlain">True if an encrypted handshake failed there.</param>
/// <param name="Misses">How many times in a row the torrent was open and reached other peers, but not this one.</param>
/// <param name="ByUtp">True if it was reached by uTP, because TCP failed.</param>
/// <param name="ByAlias">See <see cref="KnownPeer.ByAlias"/>.</param>
internal readonly record struct SavedPeer(
    IPEndPoint Endpoint, PeerSources Sources, bool IsPlain, int Misses = 0, bool ByUtp = false, bool ByAlias = false);
