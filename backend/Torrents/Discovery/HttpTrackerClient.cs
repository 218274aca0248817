using System.Buffers;
using System.Globalization;
using System.IO.Compression;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Threading.RateLimiting;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Network;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Discovery;

/// <summary>HTTP and HTTPS trackers (BEP 3, 7, 23, 31, 48).</summary>
/// <param name="handlers">The first one connects to addresses of any family, each of the others to one family. Owned.</param>
/// <param name="isDirect">True while no proxy is used. A proxy would choose the address family itself.</param>
/// <param name="time">Clock for dates sent by a tracker.</param>
/// <param name="refusalOf">See <see cref="Network.OutboundRules.RefusalOf"/>; null = any host is allowed.</param>
internal sealed class HttpTrackerClient(
    IReadOnlyList<SocketsHttpHandler> handlers, Func<bool> isDirect, TimeProvider time, Func<string, string?>? refusalOf = null)
    : ITrackerClient, IDisposable
{
    /// <summary>Longest answer, in bytes, compressed or not: 5,000 peers in the long form take 500 KB.</summary>
    public const int MostBytes = 2 << 20;

    /// <summary>Most concurrent announces to one host. A host that does not answer delays only its own torrents.</summary>
    internal const int MostAnnounces = 4;

    /// <summary>
    /// Most concurrent "stopped" announces to one host. All torrents send one at once when the program ends. With 500 torrents and a
    /// tracker that takes 200 ms to answer, these take six seconds with this limit, and twenty-five with <see cref="MostAnnounces"/>.
    /// </summary>
    internal const int MaxStopped = 16;

    /// <summary>Time limit for an announce, counted from its turn.</summary>
    public static readonly TimeSpan AnnounceTimeout = TimeSpan.FromSeconds(20);

    /// <summary>Time limit for "stopped", whose answer does not matter.</summary>
    public static readonly TimeSpan StoppedTimeout = TimeSpan.FromSeconds(5);

    /// <summary>Time limit for a .torrent given in a magnet link, counted from its turn: 14 MB at 2 Mbit/s.</summary>
    private static readonly TimeSpan FetchTimeout = TimeSpan.FromSeconds(60);

    private readonly Line[] _lines = [.. handlers.Select(static handler => new Line(NewHttp(handler)))];

    /// <summary>Longest tracker id that is stored, in bytes: each announce sends it back.</summary>
    private const int MostTrackerId = 256;

    /// <summary>
    /// Creates an HTTP client for the trackers of all torrents. Sets the User-Agent, because some trackers serve only programs that they
    /// know. Redirects are followed by <see cref="FollowAsync"/>, because the handler follows none from https to http.
    /// </summary>
    private static HttpClient NewHttp(SocketsHttpHandler handler)
    {
        handler.PooledConnectionLifetime = TimeSpan.FromMinutes(10);
        handler.MaxConnectionsPerServer = MostAnnounces + MaxStopped;
        handler.AllowAutoRedirect = false;
        var http = new HttpClient(handler) { Timeout = Timeout.InfiniteTimeSpan, MaxResponseContentBufferSize = MostBytes };
        http.DefaultRequestHeaders.UserAgent.ParseAdd($"NzbDav/{PeerIds.Version.ToString(3)}");
        return http;
    }

    public Task<TrackerAnswer> AnnounceAsync(Uri tracker, TrackerRequest request, CancellationToken cancellationToken) =>
        request.InBothFamilies && _lines.Length > 1 && tracker.HostNameType == UriHostNameType.Dns && isDirect()
            ? TrackerAnswer.FirstAsync(
                [.. _lines.Skip(1).Select(line => AnnounceAsync(line, tracker, request, cancellationToken))], request)
            : AnnounceAsync(_lines[0], tracker, request, cancellationToken);

    private async Task<TrackerAnswer> AnnounceAsync(Line line, Uri tracker, TrackerRequest request, CancellationToken cancellationToken)
    {
        var isStopped = request.Event == TrackerEvent.Stopped;
        using var turn = await (isStopped ? line.Stopped : line.Announces).AcquireAsync(tracker, cancellationToken: cancellationToken);
        using var timeout = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        timeout.CancelAfter(isStopped ? StoppedTimeout : AnnounceTimeout);
        try
        {
            using var response = await FollowAsync(
                line.Http, tracker, Query(request), HttpCompletionOption.ResponseContentRead, timeout.Token);
            var bytes = Unpack(await response.Content.ReadAsByteArrayAsync(timeout.Token));
            var answer = !response.IsSuccessStatusCode && !bytes.AsSpan().StartsWith("d"u8)
                ? TrackerAnswer.Refused(string.Create(CultureInfo.InvariantCulture, $"the tracker answers {(int)response.StatusCode}"))
                : Read(bytes);
            return answer.Failure is null || HttpAnswers.RetryAfter(response, time) is not { } pause
                ? answer : answer with { RetryIn = TrackerAnswer.Pause(pause) };
        }
        catch (HttpRequestException error)
        {
            return TrackerAnswer.Failed(error.Message) with { Reach = ReachOf(error) };
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return TrackerAnswer.Failed("the tracker does not answer");
        }
    }

    public async Task<TrackerCounts?> ScrapeAsync(Uri tracker, InfoHash hash, CancellationToken cancellationToken)
    {
        // BEP 48: the last part of the path must begin with "announce", which becomes "scrape".
        var text = tracker.AbsoluteUri;
        var slash = text.LastIndexOf('/');
        if (slash < 0 || !text.AsSpan(slash + 1).StartsWith("announce", StringComparison.Ordinal))
            return null;
        var address = string.Concat(text.AsSpan(0, slash + 1), "scrape", text.AsSpan(slash + 9));
        var line = _lines[0];
        using var turn = await line.Announces.AcquireAsync(tracker, cancellationToken: cancellationToken);
        using var timeout = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        timeout.CancelAfter(AnnounceTimeout);
        try
        {
            using var response = await FollowAsync(
                line.Http, new Uri(address), "info_hash=" + Escape(hash), HttpCompletionOption.ResponseContentRead, timeout.Token);
            return response.IsSuccessStatusCode ? ReadScrape(Unpack(await response.Content.ReadAsByteArrayAsync(timeout.Token))) : null;
        }
        catch (HttpRequestException)
        {
            return null;
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return null;
        }
    }

    /// <summary>
    /// Fetches the .torrent given in a magnet link, by the same route and with the same checks as trackers. Null if there is none, or it
    /// belongs to another torrent.
    /// </summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public async Task<Metainfo?> FetchAsync(Uri source, InfoHash hash, CancellationToken cancellationToken)
    {
        using var turn = await _lines[0].Announces.AcquireAsync(source, cancellationToken: cancellationToken);
        using var timeout = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        timeout.CancelAfter(FetchTimeout);
        try
        {
            using var response = await FollowAsync(
                _lines[0].Http, source, query: null, HttpCompletionOption.ResponseHeadersRead, timeout.Token);
            if (!response.IsSuccessStatusCode || response.Content.Headers.ContentLength > Metainfo.MostBytes)
                return null;
            await using var body = await response.Content.ReadAsStreamAsync(timeout.Token);
            var bytes = new ArrayBufferWriter<byte>();
            while (await body.ReadAsync(bytes.GetMemory(64 << 10), timeout.Token) is > 0 and var count)
            {
                bytes.Advance(count);
                if (bytes.WrittenCount > Metainfo.MostBytes)
                    return null;
            }

            return Metainfo.Read(bytes.WrittenSpan).Value is { } found && found.Info.Hash == hash ? found : null;
        }
        catch (Exception error) when (error is HttpRequestException or IOException
            || (error is OperationCanceledException && !cancellationToken.IsCancellationRequested))
        {
            // Peers may still have the info dictionary.
            return null;
        }
    }

    public void Dispose()
    {
        foreach (var line in _lines)
            line.Dispose();
    }

    private static PartitionedRateLimiter<Uri> LimiterPerHost(int most) => PartitionedRateLimiter.Create<Uri, string>(
        tracker => RateLimitPartition.GetConcurrencyLimiter(
            tracker.Authority,
            _ => new ConcurrencyLimiterOptions
            {
                PermitLimit = most,
                QueueLimit = int.MaxValue,
                QueueProcessingOrder = QueueProcessingOrder.OldestFirst,
            }),
        StringComparer.OrdinalIgnoreCase);

    /// <summary>
    /// Sends a request and follows redirects, including from https to http: the tracker chose that, and the request is not secret enough to
    /// give up the tracker for it.
    /// </summary>
    /// <exception cref="HttpRequestException">The host cannot or must not be reached, the answer is too long, there are too many redirects,
    /// or one leads to another scheme.</exception>
    private async Task<HttpResponseMessage> FollowAsync(
        HttpClient http, Uri address, string? query, HttpCompletionOption option, CancellationToken cancellationToken)
    {
        var next = query is null ? address : new Uri(WithQuery(address.AbsoluteUri, query));
        for (var left = HttpAnswers.MostRedirects; ; left--)
        {
            // With a proxy the connect callback sees only the proxy's address, so the host is checked here.
            if (!isDirect() && refusalOf?.Invoke(next.IdnHost) is { } refusal)
                throw new HttpRequestException(refusal);
            var response = await http.GetAsync(next, option, cancellationToken);
            if (HttpAnswers.Redirect(response, next, left) is not { } to)
                return response;
            next = Restored(next, to, query);
        }
    }

    /// <summary>
    /// The target of a redirect. If it lacks the query, the query is added. The tracker's own part of the query is sent only to the same
    /// host.
    /// </summary>
    private static Uri Restored(Uri from, Uri to, string? query)
    {
        if (query is null || to.Query.Contains("info_hash=", StringComparison.Ordinal))
            return to;
        var lost = to.Query.Length == 0 && to.Host.Equals(from.Host, StringComparison.OrdinalIgnoreCase) ? from.Query[1..] : query;
        return new Uri(WithQuery(to.GetLeftPart(UriPartial.Query), lost));
    }

    private static TrackerReach ReachOf(HttpRequestException error) =>
        error.InnerException is SocketException
        {
            SocketErrorCode: SocketError.NoData or SocketError.NetworkUnreachable or SocketError.AddressFamilyNotSupported,
        }
            ? TrackerReach.None : TrackerReach.Tried;

    private static string Query(TrackerRequest request)
    {
        var text = new StringBuilder("info_hash=").Append(Escape(request.Hash)).Append("&peer_id=").Append(Escape(request.PeerId));
        text.Append(CultureInfo.InvariantCulture,
            $"&port={request.Port}&uploaded={request.Uploaded}&downloaded={request.Downloaded}&left={request.Left}");
        text.Append(CultureInfo.InvariantCulture, $"&corrupt={request.Corrupt}&redundant={request.Redundant}");
        text.Append(CultureInfo.InvariantCulture, $"&key={request.Key:X8}&compact=1&numwant={request.Wanted}");
        if (request.TrackerId is { } id)
            text.Append("&trackerid=").Append(id);
        if (request.Event != TrackerEvent.None)
            text.Append("&event=").Append(request.Event.ToString().ToLowerInvariant());
        return text.ToString();
    }

    private static string WithQuery(string address, string query) =>
        address + (address.Contains('?', StringComparison.Ordinal) ? "&" : "?") + query;

    private static string Escape(InfoHash hash)
    {
        Span<byte> bytes = stackalloc byte[InfoHash.Size];
        hash.CopyTo(bytes);
        return PercentText.Escape(bytes);
    }

    /// <summary>An HTTP client and its limiters. An address family in which nothing answers delays only its own requests.</summary>
    private sealed class Line(HttpClient http) : IDisposable
    {
        public HttpClient Http { get; } = http;

        public PartitionedRateLimiter<Uri> Announces { get; } = LimiterPerHost(MostAnnounces);

        public PartitionedRateLimiter<Uri> Stopped { get; } = LimiterPerHost(MaxStopped);

        public void Dispose()
        {
            Announces.Dispose();
            Stopped.Dispose();
            Http.Dispose();
        }
    }

    // Reads answers.

    /// <summary>Magic bytes, RFC 1952 §2.3.1.</summary>
    private static ReadOnlySpan<byte> Gzip => [0x1f, 0x8b];

    /// <summary>Reads an answer to an announce.</summary>
    internal static TrackerAnswer Read(ReadOnlySpan<byte> bytes)
    {
        var reader = new BencodeReader(bytes);
        if (!reader.ReadValue(BencodeToken.Dictionary))
            return TrackerAnswer.Failed("the tracker's answer cannot be read");
        string? failure = null;
        string? warning = null;
        string? id = null;
        TimeSpan? retry = null;
        var peers = new List<IPEndPoint>();
        long? interval = null;
        long? least = null;
        int? seeds = null;
        int? leechers = null;
        int? downloaded = null;
        while (reader.ReadKey())
        {
            var key = reader.Text;
            if (key.SequenceEqual("failure reason"u8))
                failure = reader.ReadValue(BencodeToken.Text) ? Encoding.UTF8.GetString(reader.Text) : "unknown";
            else if (key.SequenceEqual("warning message"u8))
                warning = reader.ReadValue(BencodeToken.Text) ? Encoding.UTF8.GetString(reader.Text) : null;
            else if (key.SequenceEqual("retry in"u8))
                retry = ReadRetry(ref reader);
            else if (key.SequenceEqual("tracker id"u8) || key.SequenceEqual("trackerid"u8))
                id = reader.ReadValue(BencodeToken.Text) && reader.Text.Length is > 0 and <= MostTrackerId
                    ? PercentText.Escape(reader.Text) : id;
            else if (key.SequenceEqual("interval"u8))
                interval = reader.ReadInteger(1_800);
            else if (key.SequenceEqual("min interval"u8))
                least = reader.ReadInteger(0);
            else if (key.SequenceEqual("complete"u8))
                seeds = ReadCount(ref reader);
            else if (key.SequenceEqual("incomplete"u8))
                leechers = ReadCount(ref reader);
            else if (key.SequenceEqual("downloaded"u8))
                downloaded = ReadCount(ref reader);
            else if (key.SequenceEqual("peers"u8))
                ReadPeers(ref reader, peers);
            else if (key.SequenceEqual("peers6"u8) && reader.Read())
                ReadCompact(ref reader, 16, peers);
            else
                reader.SkipValue();
        }

        if (reader.Error is not null)
            return TrackerAnswer.Failed("the tracker's answer cannot be read");
        var counts = seeds is { } all && leechers is { } some ? new TrackerCounts(all, some, downloaded) : null;
        return failure is null
            ? TrackerAnswer.Of(peers, interval, least) with { Counts = counts, Warning = warning, TrackerId = id }
            : TrackerAnswer.Refused(failure) with { RetryIn = retry, RetryAfter = TrackerAnswer.Suggested(interval ?? least) };
    }

    /// <summary>Reads BEP 31's pause: minutes or "never". Null if it is invalid.</summary>
    private static TimeSpan? ReadRetry(ref BencodeReader reader)
    {
        if (!reader.Read())
            return null;
        if (reader.Token == BencodeToken.Integer)
            return TrackerAnswer.Pause(TimeSpan.FromMinutes(Math.Clamp(reader.Integer, 0, int.MaxValue)));
        if (reader.Token == BencodeToken.Text && reader.Text.SequenceEqual("never"u8))
            return Timeout.InfiniteTimeSpan;
        if (reader.Token == BencodeToken.Text
            && int.TryParse(reader.Text, NumberStyles.None, CultureInfo.InvariantCulture, out var minutes))
            return TrackerAnswer.Pause(TimeSpan.FromMinutes(minutes));
        reader.SkipRest();
        return null;
    }

    /// <summary>
    /// Decompresses an answer that begins like gzip. Compression is not requested, but some trackers compress anyway, with or without
    /// declaring it. Bytes that cannot be decompressed, or become too long, are returned unchanged.
    /// </summary>
    private static byte[] Unpack(byte[] bytes)
    {
        if (!bytes.AsSpan().StartsWith(Gzip))
            return bytes;
        try
        {
            using var packed = new GZipStream(new MemoryStream(bytes), CompressionMode.Decompress);
            var unpacked = new byte[MostBytes];
            var length = packed.ReadAtLeast(unpacked, unpacked.Length, throwOnEndOfStream: false);
            return length < unpacked.Length ? unpacked[..length] : bytes;
        }
        catch (InvalidDataException)
        {
            return bytes;
        }
    }

    private static TrackerCounts? ReadScrape(ReadOnlySpan<byte> bytes)
    {
        var reader = new BencodeReader(bytes);
        int? seeds = null;
        int? downloaded = null;
        var leechers = 0;
        while (reader.Read())
        {
            if (reader.Token != BencodeToken.Text)
                continue;
            if (reader.Text.SequenceEqual("complete"u8))
                seeds = ReadCount(ref reader);
            else if (reader.Text.SequenceEqual("incomplete"u8))
                leechers = ReadCount(ref reader);
            else if (reader.Text.SequenceEqual("downloaded"u8))
                downloaded = ReadCount(ref reader);
        }

        return reader.Error is null && seeds is { } count ? new TrackerCounts(count, leechers, downloaded) : null;
    }

    private static int ReadCount(ref BencodeReader reader) => (int)Math.Clamp(reader.ReadInteger(0), 0, int.MaxValue);

    private static void ReadPeers(ref BencodeReader reader, List<IPEndPoint> peers)
    {
        if (!reader.Read())
            return;
        if (reader.Token != BencodeToken.List)
        {
            ReadCompact(ref reader, 4, peers);
            return;
        }

        // BEP 3: a list of dictionaries with ip and port.
        while (reader.ReadElement())
        {
            if (reader.Token != BencodeToken.Dictionary)
            {
                reader.SkipRest();
                continue;
            }

            IPAddress? address = null;
            long port = 0;
            while (reader.ReadKey())
            {
                if (reader.Text.SequenceEqual("ip"u8))
                {
                    var text = reader.ReadValue(BencodeToken.Text) ? Encoding.UTF8.GetString(reader.Text) : null;
                    address = IPAddress.TryParse(text, out var parsed) ? parsed : null;
                }
                else if (reader.Text.SequenceEqual("port"u8))
                    port = reader.ReadInteger(0);
                else
                    reader.SkipValue();
            }

            if (address is not null && port is > 0 and <= ushort.MaxValue && peers.Count < TrackerAnswer.MostPeers)
                peers.Add(new IPEndPoint(address, (int)port));
        }
    }

    private static void ReadCompact(ref BencodeReader reader, int addressBytes, List<IPEndPoint> peers)
    {
        if (reader.Token == BencodeToken.Text)
            CompactPeers.Read(reader.Text, addressBytes, peers, TrackerAnswer.MostPeers);
        else
            reader.SkipRest();
    }
}
