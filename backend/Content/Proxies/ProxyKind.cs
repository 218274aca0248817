namespace NzbDav.Content.Proxies;

/// <summary>The protocol of a proxy.</summary>
public enum ProxyKind
{
    /// <summary>SOCKS 5 (RFC 1928, 1929).</summary>
    Socks5,

    /// <summary>HTTP CONNECT (RFC 9110, 9.3.6).</summary>
    Http,
}
