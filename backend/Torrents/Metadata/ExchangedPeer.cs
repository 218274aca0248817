using System.Net;

namespace NzbDav.Torrents.Metadata;

/// <summary>A peer that another peer names (BEP 11).</summary>
/// <param name="Endpoint">Where it listens.</param>
/// <param name="Flags">What the other peer says about it.</param>
internal readonly record struct ExchangedPeer(IPEndPoint Endpoint, ExchangeFlags Flags);
