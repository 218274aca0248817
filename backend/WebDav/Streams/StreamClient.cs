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

    public static StreamSource SourceOf(
        HttpContext http, long file, string name, long size, ImmutableArray<string> path, StreamOrigin origin)
    {
        var address = http.Connection.RemoteIpAddress is { IsIPv4MappedToIPv6: true } mapped
            ? mapped.MapToIPv4() : http.Connection.RemoteIpAddress;
        var agent = http.Request.Headers.UserAgent is [{ Length: > 0 } sent, ..]
            ? sent.Length > LongestAgent ? sent[..LongestAgent] : sent : null;
        return new StreamSource(file, "/" + string.Join('/', path), name, size, address?.ToString() ?? "", agent,
            http.User.Identity?.Name ?? NameOf(http.Request.Headers.Authorization), origin);
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

/// <summary>A request for a file's bytes, as far as it says who reads what.</summary>
/// <param name="File">Names the file whatever path it is asked by: its id in the tree.</param>
/// <param name="Path">The path that it is asked by, decoded.</param>
/// <param name="Name">The file's name.</param>
/// <param name="Size">The file's bytes.</param>
/// <param name="Address">The client's address.</param>
/// <param name="UserAgent">The client's User-Agent; null: none.</param>
/// <param name="User">Who asks; null: not known.</param>
/// <param name="Origin">By which address.</param>
public sealed record StreamSource(
    long File, string Path, string Name, long Size, string Address, string? UserAgent, string? User, StreamOrigin Origin);

/// <summary>By which address a file is read.</summary>
public enum StreamOrigin
{
    /// <summary>WebDAV.</summary>
    Dav,

    /// <summary>A signed link.</summary>
    View,

    /// <summary>The native API.</summary>
    Native,
}
