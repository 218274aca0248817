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
    /// The transport under <see cref="Stream"/>, usually a socket. The receiver of the result owns it. Disposing it, on any thread, ends
    /// reads and writes.
    /// </summary>
    public IDisposable? Transport { get; }

    /// <summary>Plain or TLS; the login has been done.</summary>
    public Stream? Stream { get; }

    /// <summary>The stream from which TLS reads its records; null without TLS.</summary>
    public ReadAheadStream? Below { get; }

    /// <summary><see cref="NntpConnectFailure.None"/> on success.</summary>
    public NntpConnectFailure Failure { get; }

    /// <summary>Message for the user: what failed, and what to do. Empty on success.</summary>
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

    /// <summary>The host name does not resolve.</summary>
    UnknownHost,

    /// <summary>Nothing listens on the port, the network refuses, or connections end before anything is served.</summary>
    Refused,

    /// <summary>No answer in time.</summary>
    TimedOut,

    /// <summary>TLS failed: the certificate, the protocol version, or the port does not speak TLS.</summary>
    Tls,

    /// <summary>The greeting is not NNTP, or says that the server is not available.</summary>
    BadGreeting,

    /// <summary>User name or password are wrong, or the account expired.</summary>
    LoginRefused,

    /// <summary>The account has no connection left.</summary>
    TooManyConnections,

    /// <summary>The proxy cannot be reached, or cannot reach the provider.</summary>
    Proxy,

    /// <summary>The proxy wants another login, or forbids the connection.</summary>
    ProxyRefused,

    /// <summary>The login works, but every request for an article is refused.</summary>
    ServiceRefused,
}
