using System.Net;

namespace NzbDav.Torrents.Metadata;

/// <summary>A peer as another one names it (BEP 11).</summary>
/// <param name="Endpoint">Where it listens.</param>
/// <param name="Flags">What is known of it.</param>
internal readonly record struct ExchangedPeer(IPEndPoint Endpoint, ExchangeFlags Flags);
