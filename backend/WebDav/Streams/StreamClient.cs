using System.Collections.Immutable;
using System.Text;
using Microsoft.AspNetCore.Http;

namespace NzbDav.WebDav.Streams;

/// <summary>Identifies the sender of a request.</summary>
internal static class StreamClient
{
    /// <summary>Longer ones are cut: they are shown, and tell one client from another.</summary>
    private const int LongestAgent = 256;

    private const string Basic = "Basic ";

    public static StreamSource SourceOf(HttpContext http, long file, string name, long size, ImmutableArray<string> path, StreamOrigin origin)
    {
        var address = http.Connection.RemoteIpAddress is { IsIPv4MappedToIPv6: true } mapped ? mapped.MapToIPv4() : http.Connection.RemoteIpAddress;
        var agent = http.Request.Headers.UserAgent is [{ Length: > 0 } sent, ..] ? sent.Length > LongestAgent ? sent[..LongestAgent] : sent : null;
        return new StreamSource(file, "/" + string.Join('/', path), name, size, address?.ToString() ?? "", agent, http.User.Identity?.Name ?? NameOf(http.Request.Headers.Authorization), origin);
    }

    /// <summary>The name in credentials that were found right before.</summary>
    private static string? NameOf(string? header)
    {
        if (header is null || !header.StartsWith(Basic, StringComparison.OrdinalIgnoreCase))
            return null;
        var bytes = new byte[header.Length];
        if (!Convert.TryFromBase64Chars(header.AsSpan(Basic.Length).Trim(), bytes, out var length))
            return null;
        var colon = bytes.AsSpan(0, length).IndexOf((byte)':');
        return colon > 0 ? Encoding.UTF8.GetString(bytes, 0, colon) : null;
    }
}
