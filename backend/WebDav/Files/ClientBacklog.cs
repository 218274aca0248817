using System.Net.Sockets;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http;
using NzbDav.Content;
using NzbDav.WebDav.Streams;

namespace NzbDav.WebDav.Files;

/// <summary>
/// Reads from the kernel how many bytes wait in the server's socket, how many are on the way, and how far the client's window reaches.
/// While a caller waits for the client, its stream counts as one whose client does not read, not as one that waits for bytes.
/// </summary>
internal sealed class ClientBacklog : IClientBacklog
{
    // linux/tcp.h, struct tcp_info: tcpi_state, tcpi_snd_mss, tcpi_unacked (segments), tcpi_bytes_acked, tcpi_notsent_bytes and, since
    // Linux 5.4, tcpi_snd_wnd.
    private const int ProtocolTcp = 6;
    private const int TcpInfo = 11;
    private const byte Established = 1;
    private const int SegmentSize = 16;
    private const int Unacknowledged = 24;
    private const int Acknowledged = 120;
    private const int NotSent = 144;
    private const int Window = 228;

    /// <summary>Sampling interval: a player may take the rest of the bytes sent to it within a millisecond.</summary>
    private static readonly TimeSpan SampleInterval = TimeSpan.FromMilliseconds(2);

    /// <summary>
    /// Headers that show a proxy, which takes all bytes at once, whatever its own client does. By default nginx sends none of these, but
    /// uses HTTP/1.0, which players and scanners do not.
    /// </summary>
    private static readonly string[] ProxyHeaders = ["X-Forwarded-For", "X-Original-For", "Forwarded", "X-Real-IP", "Via"];

    private readonly Socket _socket;
    private readonly StreamResponse? _stream;
    private readonly TimeProvider _time;

    private ClientBacklog(Socket socket, StreamResponse? stream, TimeProvider time) => (_socket, _stream, _time) = (socket, stream, time);

    /// <remarks>A client that has closed its connection takes nothing any more: the server ends the request soon.</remarks>
    public ClientProgress Sample() => Read(_socket) ?? new ClientProgress(long.MaxValue / 2, 0);

    /// <summary>The backlog of the request's connection; null if unknown: not on Linux, without a socket, behind a proxy.</summary>
    public static ClientBacklog? Of(HttpContext http, StreamResponse? stream, TimeProvider time)
    {
        if (!OperatingSystem.IsLinux()
            || http.Features.Get<IConnectionSocketFeature>()?.Socket is not { ProtocolType: ProtocolType.Tcp } socket)
            return null;
        var isProxied = HttpProtocol.IsHttp10(http.Request.Protocol) || Array.Exists(ProxyHeaders, http.Request.Headers.ContainsKey);
        return isProxied || Read(socket) is null ? null : new ClientBacklog(socket, stream, time);
    }

    public async Task<bool> WaitAsync(Func<ClientProgress, bool> isEnough, TimeSpan limit, CancellationToken cancellationToken)
    {
        if (isEnough(Sample()))
            return true;
        _stream?.StallBegins();
        try
        {
            var began = _time.GetTimestamp();
            while (_time.GetElapsedTime(began) < limit)
            {
                await Task.Delay(SampleInterval, _time, cancellationToken);
                if (isEnough(Sample()))
                    return true;
            }

            return false;
        }
        finally
        {
            _stream?.StallEnds();
        }
    }

    /// <summary>Null when the system does not report it, or the connection is closed: its queue is empty then.</summary>
    private static ClientProgress? Read(Socket socket)
    {
        Span<byte> info = stackalloc byte[Window + sizeof(uint)];
        try
        {
            if (socket.GetRawSocketOption(ProtocolTcp, TcpInfo, info) < info.Length || info[0] != Established)
                return null;
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            return null;
        }

        var untaken = Number(info, NotSent) + (Number(info, Unacknowledged) * Number(info, SegmentSize));
        return new ClientProgress(untaken, (long)BitConverter.ToUInt64(info[Acknowledged..]) + Number(info, Window));
    }

    private static long Number(ReadOnlySpan<byte> info, int offset) => BitConverter.ToUInt32(info[offset..]);
}
