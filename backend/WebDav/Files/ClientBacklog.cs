using System.Net.Sockets;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http;
using NzbDav.Content;
using NzbDav.WebDav.Streams;

namespace NzbDav.WebDav.Files;

/// <summary>
/// The bytes that wait in the server's socket to be sent, and those on the way. A client that stops reading fills its own socket's room first (60
/// to 320 KB were seen for ffprobe over loopback); then what is sent stays here. While somebody waits for the client to take them, its stream
/// counts as one that does not read, not as one that waits for bytes.
/// </summary>
internal sealed class ClientBacklog : IClientBacklog
{
    // linux/tcp.h, struct tcp_info: tcpi_state, tcpi_snd_mss, tcpi_unacked (segments) and, since Linux 4.6, tcpi_notsent_bytes.
    private const int ProtocolTcp = 6;
    private const int TcpInfo = 11;
    private const byte Established = 1;
    private const int SegmentSize = 16;
    private const int Unacknowledged = 24;
    private const int NotSent = 144;

    /// <summary>How often is looked: a player may take the rest of what it was sent in a millisecond.</summary>
    private static readonly TimeSpan Often = TimeSpan.FromMilliseconds(2);

    /// <summary>A client that has waited for longer than ten times this is looked at this often.</summary>
    private static readonly TimeSpan Seldom = TimeSpan.FromMilliseconds(50);

    /// <summary>A proxy takes what it is sent, whatever its own client does.</summary>
    private static readonly string[] ProxyHeaders = ["X-Forwarded-For", "X-Original-For", "Forwarded", "X-Real-IP", "Via"];

    private readonly Socket _socket;
    private readonly StreamResponse? _stream;
    private readonly TimeProvider _time;

    private ClientBacklog(Socket socket, StreamResponse? stream, TimeProvider time) => (_socket, _stream, _time) = (socket, stream, time);

    /// <remarks>Of a connection that the client has closed nothing will be taken: the server ends the request soon.</remarks>
    public long Bytes => Read(_socket) ?? long.MaxValue / 2;

    /// <summary>The backlog of the request's connection; null where nobody can tell: not on Linux, without a socket, behind a proxy.</summary>
    public static ClientBacklog? Of(HttpContext http, StreamResponse? stream, TimeProvider time)
    {
        if (!OperatingSystem.IsLinux() || http.Features.Get<IConnectionSocketFeature>()?.Socket is not { ProtocolType: ProtocolType.Tcp } socket)
            return null;
        return Array.Exists(ProxyHeaders, http.Request.Headers.ContainsKey) || Read(socket) is null ? null : new ClientBacklog(socket, stream, time);
    }

    public async Task FallsToAsync(long bytes, CancellationToken cancellationToken)
    {
        if (Bytes <= bytes)
            return;
        _stream?.StallBegins();
        try
        {
            var began = _time.GetTimestamp();
            while (Bytes > bytes)
            {
                var pause = _time.GetElapsedTime(began) / 10;
                await Task.Delay(pause < Often ? Often : pause < Seldom ? pause : Seldom, _time, cancellationToken);
            }
        }
        finally
        {
            _stream?.StallEnds();
        }
    }

    /// <summary>Null when the system does not tell, or the connection is closed: its queue is empty then.</summary>
    private static long? Read(Socket socket)
    {
        Span<byte> info = stackalloc byte[NotSent + sizeof(uint)];
        try
        {
            if (socket.GetRawSocketOption(ProtocolTcp, TcpInfo, info) < info.Length)
                return null;
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            return null;
        }

        return info[0] != Established ? null : Field(info, NotSent) + (Field(info, Unacknowledged) * Field(info, SegmentSize));
    }

    private static long Field(ReadOnlySpan<byte> info, int offset) => BitConverter.ToUInt32(info[offset..]);
}
