using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace NzbDav.WebDav;

/// <summary>The server's limits that WebDAV clients run into.</summary>
public static class WebDavServerLimits
{
    /// <summary>Raises them; called by the host when it configures Kestrel.</summary>
    public static void Apply(KestrelServerOptions server)
    {
        ArgumentNullException.ThrowIfNull(server);
        server.AddServerHeader = false;

        // The largest NZB files (packs of 500 GB) have some 200 MB; the default is 30 MB.
        server.Limits.MaxRequestBodySize = 1L << 30;

        // 255 bytes of UTF-8 in each of a few names, three characters per byte; the default is 8 KiB.
        server.Limits.MaxRequestLineSize = 32 << 10;
        server.Limits.MaxRequestHeadersTotalSize = 64 << 10;

        // Players and rclone come back to a connection after minutes; opening one costs a round trip or, with TLS, two.
        server.Limits.KeepAliveTimeout = TimeSpan.FromMinutes(10);
        server.Limits.MaxConcurrentConnections = null;
    }
}
