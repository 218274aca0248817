using System.Diagnostics.CodeAnalysis;

namespace NzbDav.Content.Proxies;

/// <summary>A proxy's address, protocol and credentials. Immutable.</summary>
/// <param name="Kind">Its protocol.</param>
/// <param name="Host">Name or address.</param>
/// <param name="Port">1 … 65535.</param>
/// <param name="User">Empty: no login.</param>
/// <param name="Password">The user's password.</param>
public sealed record ProxyAddress(ProxyKind Kind, string Host, int Port, string User, string Password)
{
    /// <summary>RFC 1929: user name and password have at most 255 bytes each.</summary>
    private const int MostCredential = 255;

    /// <summary>The address as an HTTP client expects it.</summary>
    public Uri Address => new UriBuilder(Kind == ProxyKind.Socks5 ? "socks5" : "http", Host, Port).Uri;

    /// <summary>
    /// Parses <c>socks5://user:password@host:port</c> or <c>http://…</c>. User and password are escaped as in any URL, and optional.
    /// </summary>
    public static bool TryParse(string text, [NotNullWhen(true)] out ProxyAddress? proxy)
    {
        proxy = null;
        if (!Uri.TryCreate(text, UriKind.Absolute, out var uri) || uri.Host.Length == 0 || uri.PathAndQuery is not ("/" or "")
            || uri.Fragment.Length > 0)
            return false;
        ProxyKind? kind = uri.Scheme switch { "socks5" or "socks5h" => ProxyKind.Socks5, "http" => ProxyKind.Http, _ => null };
        if (kind is null)
            return false;
        var port = uri.Port > 0 ? uri.Port : 1_080;
        var colon = uri.UserInfo.IndexOf(':', StringComparison.Ordinal);
        var user = Uri.UnescapeDataString(colon < 0 ? uri.UserInfo : uri.UserInfo[..colon]);
        var password = colon < 0 ? "" : Uri.UnescapeDataString(uri.UserInfo[(colon + 1)..]);
        if (System.Text.Encoding.UTF8.GetByteCount(user) > MostCredential
            || System.Text.Encoding.UTF8.GetByteCount(password) > MostCredential)
            return false;
        proxy = new ProxyAddress(kind.Value, uri.Host.Trim('[', ']'), port, user, password);
        return true;
    }

    /// <summary>The address without the password, safe for a log.</summary>
    public override string ToString() =>
        $"{(Kind == ProxyKind.Socks5 ? "socks5" : "http")}://{(Host.Contains(':', StringComparison.Ordinal) ? $"[{Host}]" : Host)}:{Port}";
}

/// <summary>The protocol of a proxy.</summary>
public enum ProxyKind
{
    /// <summary>SOCKS 5 (RFC 1928, 1929).</summary>
    Socks5,

    /// <summary>HTTP CONNECT (RFC 9110, 9.3.6).</summary>
    Http,
}
