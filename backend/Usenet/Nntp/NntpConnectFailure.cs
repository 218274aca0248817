namespace NzbDav.Usenet.Nntp;

/// <summary>Why a connection could not be opened.</summary>
public enum NntpConnectFailure
{
    /// <summary>It was opened.</summary>
    None,

    /// <summary>The name does not resolve.</summary>
    UnknownHost,

    /// <summary>Nobody listens, or the network says no, or connections end before anything is served.</summary>
    Refused,

    /// <summary>No answer in time.</summary>
    TimedOut,

    /// <summary>TLS failed: certificate, protocol, or the port speaks no TLS.</summary>
    Tls,

    /// <summary>The server greets with something that is not NNTP, or says that it is not available.</summary>
    BadGreeting,

    /// <summary>User name or password are wrong, or the account ended.</summary>
    LoginRefused,

    /// <summary>The account has no connection left.</summary>
    TooManyConnections,

    /// <summary>The proxy cannot be reached, or does not reach the provider.</summary>
    Proxy,

    /// <summary>The proxy wants another login, or forbids the connection.</summary>
    ProxyRefused,

    /// <summary>The login works, and every request for an article is refused.</summary>
    ServiceRefused,
}
