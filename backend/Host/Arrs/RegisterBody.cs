namespace NzbDav.Host.Arrs;

/// <summary>How an *arr reaches this server.</summary>
/// <param name="Host">As seen from its machine or container.</param>
/// <param name="Port">1 to 65535.</param>
/// <param name="UseSsl">Over TLS.</param>
/// <param name="LocalPath">Where it finds what this server calls its completed folder, if it is elsewhere.</param>
/// <param name="Torrents">As its client for torrents (qBittorrent) instead of the one for posts (SABnzbd).</param>
internal sealed record RegisterBody(string? Host, int? Port, bool UseSsl, string? LocalPath, bool Torrents = false);
