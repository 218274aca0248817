namespace NzbDav.Host.Arrs;

/// <summary>How an *arr reaches this server.</summary>
/// <param name="Host">This server's host name or address, as seen from the *arr's machine or container.</param>
/// <param name="Port">1 to 65535.</param>
/// <param name="UseSsl">Connect over TLS.</param>
/// <param name="LocalPath">The path at which the *arr sees this server's completed folder, if it differs.</param>
/// <param name="Torrents">Register as its client for torrents (qBittorrent) instead of posts (SABnzbd).</param>
internal sealed record RegisterBody(string? Host, int? Port, bool UseSsl, string? LocalPath, bool Torrents = false);
