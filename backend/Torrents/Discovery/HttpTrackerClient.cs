using System.Globalization;
using System.Net;
using System.Text;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Discovery;

/// <summary>Asks HTTP and HTTPS trackers (BEP 3, 23, 48).</summary>
/// <param name="http">See <see cref="NewHttp"/>.</param>
internal sealed class HttpTrackerClient(HttpClient http) : ITrackerClient
{
    /// <summary>Longest answer read, in bytes: 5,000 peers in the long form take 500 KB.</summary>
    public const int MostBytes = 2 << 20;

    /// <summary>How long a tracker may take.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    /// <summary>
    /// The HTTP client for the trackers of all torrents. Four connections to each host: a host that does not answer delays only its own torrents, however many
    /// there are. Sets the User-Agent, because some trackers serve only programs that they know.
    /// </summary>
    public static HttpClient NewHttp(SocketsHttpHandler handler)
    {
        handler.PooledConnectionLifetime = TimeSpan.FromMinutes(10);
        handler.MaxConnectionsPerServer = 4;
        var http = new HttpClient(handler)
        {
            Timeout = Patience,
            MaxResponseContentBufferSize = MostBytes,
        };
        http.DefaultRequestHeaders.UserAgent.ParseAdd($"NzbDav/{typeof(HttpTrackerClient).Assembly.GetName().Version!.ToString(3)}");
        return http;
    }

    /// <inheritdoc/>
    public async Task<TrackerAnswer> AnnounceAsync(Uri tracker, TrackerRequest request, CancellationToken cancellationToken)
    {
        try
        {
            using var response = await http.GetAsync(Address(tracker, request), cancellationToken);
            var bytes = await response.Content.ReadAsByteArrayAsync(cancellationToken);
            if (!response.IsSuccessStatusCode && !bytes.AsSpan().StartsWith("d"u8))
                return TrackerAnswer.Failed(string.Create(CultureInfo.InvariantCulture, $"the tracker answers {(int)response.StatusCode}"));
            return Read(bytes);
        }
        catch (HttpRequestException error)
        {
            return TrackerAnswer.Failed(error.Message);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return TrackerAnswer.Failed("the tracker does not answer");
        }
    }

    /// <inheritdoc/>
    public async Task<TrackerCounts?> ScrapeAsync(Uri tracker, InfoHash hash, CancellationToken cancellationToken)
    {
        // BEP 48: the last part of the path must begin with "announce", which becomes "scrape".
        var text = tracker.AbsoluteUri;
        var slash = text.LastIndexOf('/');
        if (slash < 0 || !text.AsSpan(slash + 1).StartsWith("announce", StringComparison.Ordinal))
            return null;
        var address = string.Concat(text.AsSpan(0, slash + 1), "scrape", text.AsSpan(slash + 9));
        try
        {
            var bytes = await http.GetByteArrayAsync(new Uri(WithQuery(address, "info_hash=" + Escape(hash))), cancellationToken);
            return ReadScrape(bytes);
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

    /// <summary>Reads an answer to an announce.</summary>
    internal static TrackerAnswer Read(ReadOnlySpan<byte> bytes)
    {
        var reader = new BencodeReader(bytes);
        if (!reader.ReadValue(BencodeToken.Dictionary))
            return TrackerAnswer.Failed("the tracker's answer cannot be read");
        string? failure = null;
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
        if (failure is not null)
            return TrackerAnswer.Failed(failure);
        return TrackerAnswer.Of(peers, interval, least) with { Counts = seeds is { } all && leechers is { } some ? new TrackerCounts(all, some, downloaded) : null };
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
                    address = reader.ReadValue(BencodeToken.Text) && IPAddress.TryParse(Encoding.UTF8.GetString(reader.Text), out var parsed) ? parsed : null;
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

    private static Uri Address(Uri tracker, TrackerRequest request)
    {
        var text = new StringBuilder("info_hash=").Append(Escape(request.Hash)).Append("&peer_id=").Append(Escape(request.PeerId));
        text.Append(CultureInfo.InvariantCulture, $"&port={request.Port}&uploaded={request.Uploaded}&downloaded={request.Downloaded}&left={request.Left}");
        text.Append(CultureInfo.InvariantCulture, $"&key={request.Key:X8}&compact=1&numwant={request.Wanted}");
        if (request.Event != TrackerEvent.None)
            text.Append("&event=").Append(request.Event.ToString().ToLowerInvariant());
        return new Uri(WithQuery(tracker.AbsoluteUri, text.ToString()));
    }

    private static string WithQuery(string address, string query) =>
        address + (address.Contains('?', StringComparison.Ordinal) ? "&" : "?") + query;

    private static string Escape(InfoHash hash)
    {
        Span<byte> bytes = stackalloc byte[InfoHash.Size];
        hash.CopyTo(bytes);
        var text = new StringBuilder(60);
        foreach (var b in bytes)
        {
            if (char.IsAsciiLetterOrDigit((char)b) || b is (byte)'-' or (byte)'.' or (byte)'_' or (byte)'~')
                text.Append((char)b);
            else
                text.Append(CultureInfo.InvariantCulture, $"%{b:X2}");
        }

        return text.ToString();
    }
}
