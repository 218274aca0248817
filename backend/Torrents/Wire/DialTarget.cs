using System.Net;

namespace NzbDav.Torrents.Wire;

/// <summary>Whom to connect to, and what for.</summary>
/// <param name="Remote">Where.</param>
/// <param name="Greeting">Names the torrent that the peer is to share. Whoever connects may send it with his own first bytes: see <see cref="ITransport.IsGreeted"/>.</param>
/// <param name="IsPlain">The last connection there was a plain one, as an encrypted one failed.</param>
internal readonly record struct DialTarget(IPEndPoint Remote, Handshake Greeting, bool IsPlain = false);
