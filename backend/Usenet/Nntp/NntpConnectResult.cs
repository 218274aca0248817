namespace NzbDav.Usenet.Nntp;

/// <summary>How opening a connection ended: a logged-in stream, or a reason.</summary>
internal sealed class NntpConnectResult
{
    private NntpConnectResult(IDisposable? transport, Stream? stream, ReadAheadStream? below, NntpConnectFailure failure, string reason)
    {
        Transport = transport;
        Stream = stream;
        Below = below;
        Failure = failure;
        Reason = reason;
    }

    /// <summary>
    /// The transport under <see cref="Stream"/>, mostly a socket; owned by the receiver of the result. Disposing it, on any thread, ends
    /// reads and writes.
    /// </summary>
    public IDisposable? Transport { get; }

    /// <summary>Plain or TLS, positioned after the login.</summary>
    public Stream? Stream { get; }

    /// <summary>The stream below TLS that <see cref="Stream"/> reads its records from; null when it is plain.</summary>
    public ReadAheadStream? Below { get; }

    /// <summary><see cref="NntpConnectFailure.None"/> on success.</summary>
    public NntpConnectFailure Failure { get; }

    /// <summary>Message for the user: why, and what to do. Empty on success.</summary>
    public string Reason { get; }

    public static NntpConnectResult Of(IDisposable transport, Stream stream, ReadAheadStream? below = null) =>
        new(transport, stream, below, NntpConnectFailure.None, "");

    public static NntpConnectResult Failed(NntpConnectFailure failure, string reason) =>
        new(transport: null, stream: null, below: null, failure, reason);
}

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
