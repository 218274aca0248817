namespace NzbDav.Host.Arrs;

/// <summary>How an *arr reaches this server.</summary>
/// <param name="Host">As seen from its machine or container.</param>
/// <param name="Port">1 to 65535.</param>
/// <param name="UseSsl">Over TLS.</param>
/// <param name="LocalPath">Where it finds what this server calls its completed folder, if it is elsewhere.</param>
internal sealed record RegisterBody(string? Host, int? Port, bool UseSsl, string? LocalPath);
