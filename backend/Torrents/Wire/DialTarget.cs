using System.Net;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Wire;

/// <summary>Whom to connect to, and what for.</summary>
/// <param name="Remote">Where.</param>
/// <param name="Hash">The torrent that the peer is to share: an encrypted handshake is made with it.</param>
internal readonly record struct DialTarget(IPEndPoint Remote, InfoHash Hash);
