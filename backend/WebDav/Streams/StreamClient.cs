using System.Collections.Immutable;
using System.Text;
using Microsoft.AspNetCore.Http;

namespace NzbDav.WebDav.Streams;

/// <summary>Identifies the sender of a request.</summary>
internal static class StreamClient
{
    /// <summary>Longer ones are truncated: they are displayed, and distinguish clients.</summary>
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

    /// <summary>The name in credentials that were accepted before.</summary>
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

/// <summary>The client and the file of a request for bytes.</summary>
/// <param name="File">The file's id in the tree, the same for all its paths.</param>
/// <param name="Path">The requested path, decoded.</param>
/// <param name="Name">The file's name.</param>
/// <param name="Size">Size of the file in bytes.</param>
/// <param name="Address">The client's address.</param>
/// <param name="UserAgent">The client's User-Agent; null: none.</param>
/// <param name="User">The user's name; null: not known.</param>
/// <param name="Origin">The kind of address.</param>
public sealed record StreamSource(
    long File, string Path, string Name, long Size, string Address, string? UserAgent, string? User, StreamOrigin Origin);

/// <summary>The kind of address by which a file is read.</summary>
public enum StreamOrigin
{
    /// <summary>WebDAV.</summary>
    Dav,

    /// <summary>A signed link.</summary>
    View,

    /// <summary>The native API.</summary>
    Native,

    /// <summary>The mount of this process.</summary>
    Mount,
}
