using System.Net.Sockets;

namespace NzbDav.Usenet.Nntp;

/// <summary>How opening a connection ended: a logged-in stream, or a reason.</summary>
internal sealed class NntpConnectResult
{
    private NntpConnectResult(Socket? socket, Stream? stream, ReadAheadStream? below, NntpConnectFailure failure, string reason)
    {
        Socket = socket;
        Stream = stream;
        Below = below;
        Failure = failure;
        Reason = reason;
    }

    /// <summary>The socket under <see cref="Stream"/>; owned by whoever takes the result.</summary>
    public Socket? Socket { get; }

    /// <summary>Plain or TLS, positioned after the login.</summary>
    public Stream? Stream { get; }

    /// <summary>The stream below TLS that <see cref="Stream"/> reads its records from; null when it is plain.</summary>
    public ReadAheadStream? Below { get; }

    /// <summary><see cref="NntpConnectFailure.None"/> on success.</summary>
    public NntpConnectFailure Failure { get; }

    /// <summary>For the user, with what to do; empty on success.</summary>
    public string Reason { get; }

    public static NntpConnectResult Of(Socket socket, Stream stream, ReadAheadStream? below = null) => new(socket, stream, below, NntpConnectFailure.None, "");

    public static NntpConnectResult Failed(NntpConnectFailure failure, string reason) => new(socket: null, stream: null, below: null, failure, reason);
}
