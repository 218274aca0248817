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
    /// What is under <see cref="Stream"/>, mostly a socket; owned by whoever takes the result. Disposing it ends reads and writes, from any
    /// thread.
    /// </summary>
    public IDisposable? Transport { get; }

    /// <summary>Plain or TLS, positioned after the login.</summary>
    public Stream? Stream { get; }

    /// <summary>The stream below TLS that <see cref="Stream"/> reads its records from; null when it is plain.</summary>
    public ReadAheadStream? Below { get; }

    /// <summary><see cref="NntpConnectFailure.None"/> on success.</summary>
    public NntpConnectFailure Failure { get; }

    /// <summary>For the user, with what to do; empty on success.</summary>
    public string Reason { get; }

    public static NntpConnectResult Of(IDisposable transport, Stream stream, ReadAheadStream? below = null) =>
        new(transport, stream, below, NntpConnectFailure.None, "");

    public static NntpConnectResult Failed(NntpConnectFailure failure, string reason) =>
        new(transport: null, stream: null, below: null, failure, reason);
}
