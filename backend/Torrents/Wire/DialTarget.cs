using System.Net;

namespace NzbDav.Torrents.Wire;

/// <summary>A peer to dial, and the torrent to ask it for.</summary>
/// <param name="Remote">The peer's address.</param>
/// <param name="Greeting">Our handshake, which names the torrent. The dialer may send it with its first bytes: see <see cref="ITransport.IsGreeted"/>.</param>
/// <param name="IsPlain">True if the last connection to the peer was plain because an encrypted one failed.</param>
internal readonly record struct DialTarget(IPEndPoint Remote, Handshake Greeting, bool IsPlain = false);
