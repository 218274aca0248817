using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace NzbDav.WebDav;

/// <summary>The server's limits: raised where WebDAV clients need more, lowered for connections of strangers.</summary>
public static class WebDavServerLimits
{
    /// <summary>
    /// Most connections at a time; further ones are closed. The host limits those of one address. A server with 200 streams, an *arr or two
    /// and their browsers has some 300.
    /// </summary>
    public const int MostConnections = 2_000;

    /// <summary>Sets the limits. The host calls it when it configures Kestrel.</summary>
    public static void Apply(KestrelServerOptions server)
    {
        ArgumentNullException.ThrowIfNull(server);
        server.AddServerHeader = false;

        // The largest NZB files (packs of 500 GB) have some 200 MB; the default is 30 MB.
        server.Limits.MaxRequestBodySize = 1L << 30;

        // 255 bytes of UTF-8 in each of a few names, three characters per byte; the default is 8 KiB.
        server.Limits.MaxRequestLineSize = 32 << 10;
        server.Limits.MaxRequestHeadersTotalSize = 64 << 10;

        // Players return to a connection when their buffer runs low, mostly within a minute or two; opening one costs a round trip or, with
        // TLS, two.
        server.Limits.KeepAliveTimeout = TimeSpan.FromMinutes(3);
        server.Limits.RequestHeadersTimeout = TimeSpan.FromSeconds(15);
        server.Limits.MaxConcurrentConnections = MostConnections;

        // A paused player may read nothing for hours. HTTP/1.1 can lift the minimum rate for one response, HTTP/2 cannot; the host sets one
        // for responses to clients that have not signed in.
        server.Limits.MinResponseDataRate = null;
    }
}
