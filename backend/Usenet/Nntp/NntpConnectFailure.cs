namespace NzbDav.Usenet.Nntp;

/// <summary>Why a connection could not be opened.</summary>
public enum NntpConnectFailure
{
    /// <summary>It was opened.</summary>
    None,

    /// <summary>The name does not resolve.</summary>
    UnknownHost,

    /// <summary>Nobody listens, the network refuses, or connections end before anything is served.</summary>
    Refused,

    /// <summary>No answer in time.</summary>
    TimedOut,

    /// <summary>TLS failed: certificate, protocol, or the port speaks no TLS.</summary>
    Tls,

    /// <summary>The greeting is not NNTP, or says that the server is not available.</summary>
    BadGreeting,

    /// <summary>User name or password are wrong, or the account expired.</summary>
    LoginRefused,

    /// <summary>The account has no connection left.</summary>
    TooManyConnections,

    /// <summary>The proxy cannot be reached, or does not reach the provider.</summary>
    Proxy,

    /// <summary>The proxy wants another login, or forbids the connection.</summary>
    ProxyRefused,

    /// <summary>The login works, but every request for an article is refused.</summary>
    ServiceRefused,
}
