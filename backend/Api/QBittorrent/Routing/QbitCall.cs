using System.Globalization;
using Microsoft.AspNetCore.Http;
using NzbDav.Access.Keys;
using NzbDav.Api.Forms;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Api.QBittorrent.Routing;

/// <summary>One call: its parameters, from the form or the query, and its caller. Owns the form.</summary>
internal sealed class QbitCall(HttpContext http, QbitCaller caller) : IAsyncDisposable
{
    private const string All = "all";

    public HttpContext Http => http;

    public QbitCaller Caller => caller;

    /// <summary>The form as far as it was read; null: there is none.</summary>
    public CallForm? Form { get; set; }

    /// <summary>A parameter as it was sent, perhaps empty; null when it is absent.</summary>
    public string? Text(string name) => Form?.Value(name) ?? (http.Request.Query.TryGetValue(name, out var values) ? values[0] : null);

    /// <summary>True or false in any case, as qBittorrent reads it, or 1 or 0; null when it is absent or anything else.</summary>
    public bool? Flag(string name) => Text(name)?.Trim().ToUpperInvariant() switch
    {
        "TRUE" or "1" => true,
        "FALSE" or "0" => false,
        _ => null,
    };

    /// <summary>A whole number; null when it is absent or not a number. Decimals are cut off, because some clients send them.</summary>
    public long? Number(string name) => Decimal(name) is { } number ? (long)Math.Clamp(number, long.MinValue / 2, long.MaxValue / 2) : null;

    /// <summary>A number with a decimal point, whatever the culture; null when it is absent or not a number.</summary>
    public double? Decimal(string name) =>
        double.TryParse(Text(name), NumberStyles.Float, CultureInfo.InvariantCulture, out var number) && double.IsFinite(number)
            ? number : null;

    /// <summary>The parts of a parameter, trimmed, without empty ones; none when it is absent.</summary>
    public string[] List(string name, char separator) =>
        Text(name)?.Split(separator, StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries) ?? [];

    /// <summary>The torrents that a parameter names.</summary>
    /// <returns>Info-hashes in lower case, without invalid ones; null for <c>all</c>.</returns>
    public IReadOnlyList<string>? Hashes(string name = "hashes") =>
        List(name, '|') is var texts && texts is [All] ? null : [.. texts.Select(Hash).OfType<string>().Distinct(StringComparer.Ordinal)];

    /// <summary>The one torrent that the call names; null when that is not a valid hash.</summary>
    public string? Hash() => Text("hash") is { } text ? Hash(text.Trim()) : null;

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => Form?.DisposeAsync() ?? ValueTask.CompletedTask;

    private static string? Hash(string text) =>
        text.Length == InfoHash.Size * 2 && InfoHash.TryParse(text, out var hash) ? hash.ToString() : null;
}

/// <summary>The caller.</summary>
/// <param name="Rights">What the caller may do; none if not logged in.</param>
/// <param name="Id">The same in all calls of one client, as far as that can be recognised. The state of <c>sync/maindata</c> is kept by
/// it.</param>
/// <param name="Session">The session of a logged-in caller; null otherwise.</param>
internal sealed record QbitCaller(ApiRights Rights, string Id, string? Session = null)
{
    /// <summary>
    /// True if the caller's network need not log in. Such a caller may also set the port at which peers reach this server, as a VPN's
    /// program does after each connect, but nothing else that needs an administrator.
    /// </summary>
    public bool IsOfTrustedNetwork { get; init; }

    /// <summary>A caller without credentials.</summary>
    public static QbitCaller Nobody { get; } = new(ApiRights.None, "");
}
