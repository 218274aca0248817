using System.Net;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Connections;

/// <summary>An address at which a peer was reached.</summary>
/// <param name="Endpoint">The address.</param>
/// <param name="Sources">How it was learned.</param>
/// <param name="IsPlain">An encrypted handshake had failed there.</param>
/// <param name="Misses">Times in a row that the torrent was open, reached somebody, and did not reach this peer.</param>
internal readonly record struct SavedPeer(IPEndPoint Endpoint, PeerSources Sources, bool IsPlain, int Misses = 0);
