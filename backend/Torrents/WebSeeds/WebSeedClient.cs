using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using NzbDav.Torrents.Network;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.WebSeeds;

/// <summary>Requests ranges of files from web servers, for all torrents of an engine. Thread-safe.</summary>
internal sealed class WebSeedClient : IDisposable
{
    /// <summary>Most connections to one host, for all torrents together. A browser has about as many.</summary>
    public const int MostConnections = 4;

    /// <summary>Longest silence of a server, before its answer begins and within it.</summary>
    public static readonly TimeSpan SilenceTimeout = TimeSpan.FromSeconds(20);

    /// <summary>Most bytes read of the rest of an answer that is no longer needed, to keep the connection.</summary>
    private const int MostDrained = 256 << 10;

    private readonly HttpClient _http;
    private readonly TimeProvider _time;

    /// <param name="handler">Makes the connections; owned.</param>
    /// <param name="time">Drives time-outs. Also the clock for dates sent by servers (Retry-After).</param>
    public WebSeedClient(SocketsHttpHandler handler, TimeProvider time)
    {
        _time = time;
        handler.MaxConnectionsPerServer = MostConnections;
        handler.PooledConnectionLifetime = TimeSpan.FromMinutes(10);
        handler.PooledConnectionIdleTimeout = TimeSpan.FromMinutes(1);
        handler.MaxResponseDrainSize = MostDrained;
        handler.AllowAutoRedirect = false;
        _http = new HttpClient(handler) { Timeout = Timeout.InfiniteTimeSpan };
        _http.DefaultRequestHeaders.UserAgent.ParseAdd($"NzbDav/{PeerIds.Version.ToString(3)}");
        _http.DefaultRequestHeaders.AcceptEncoding.ParseAdd("identity");
    }

    /// <summary>Drives time-outs.</summary>
    public TimeProvider Time => _time;

    /// <summary>Requests a range of a file. The body of the answer is the range or a beginning of it.</summary>
    /// <param name="address">The file's address, or the address after an earlier redirect.</param>
    /// <param name="start">Offset of the first byte.</param>
    /// <param name="end">Offset after the last byte.</param>
    /// <param name="length">The file's length.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="HttpRequestException">The server cannot be reached, or redirects too often.</exception>
    public async Task<WebSeedAnswer> RequestAsync(Uri address, long start, long end, long length, CancellationToken cancellationToken)
    {
        for (var left = HttpAnswers.MostRedirects; ; left--)
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, address);
            request.Headers.Range = new RangeHeaderValue(start, end - 1);
            var response = await _http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, cancellationToken);
            if (HttpAnswers.Redirect(response, address, left) is { } next)
            {
                address = next;
                continue;
            }

            if (FaultOf(response, start, end, length) is not { } fault)
                return new WebSeedAnswer(response, address, null);
            response.Dispose();
            return new WebSeedAnswer(null, address, fault);
        }
    }

    public void Dispose() => _http.Dispose();

    private WebSeedFault? FaultOf(HttpResponseMessage response, long start, long end, long length)
    {
        var content = response.Content.Headers;
        if (response.IsSuccessStatusCode && content.ContentEncoding.Count > 0)
            return new WebSeedFault(WebSeedBlame.Final, "it packs what it sends");
        switch (response.StatusCode)
        {
            case HttpStatusCode.PartialContent:
                if (content.ContentRange is not { } range || range.From != start || range.To >= end)
                    return new WebSeedFault(WebSeedBlame.Final, "it answers with another range");
                return range.Length is { } its && its != length
                    ? new WebSeedFault(WebSeedBlame.Final, string.Create(
                        CultureInfo.InvariantCulture, $"its file has {its} bytes instead of {length}"))
                    : null;

            // An answer with the whole file is right if the range is the whole file.
            case HttpStatusCode.OK when start == 0 && end == length && (content.ContentLength ?? length) == length:
                return null;
            case HttpStatusCode.OK:
                return new WebSeedFault(WebSeedBlame.Final, "it ignores ranges");
            case HttpStatusCode.NotFound or HttpStatusCode.Gone or HttpStatusCode.Forbidden or HttpStatusCode.Unauthorized:
                return StatusFault(WebSeedBlame.MissingFile, response);
            case HttpStatusCode.RequestedRangeNotSatisfiable:
                return new WebSeedFault(WebSeedBlame.Final, "its file is shorter than the torrent's");
            case HttpStatusCode.RequestTimeout or HttpStatusCode.TooManyRequests or >= HttpStatusCode.InternalServerError:
                return StatusFault(WebSeedBlame.Transient, response) with { RetryIn = HttpAnswers.RetryAfter(response, _time) };
            default:
                return StatusFault(WebSeedBlame.Final, response);
        }
    }

    private static WebSeedFault StatusFault(WebSeedBlame blame, HttpResponseMessage response) =>
        new(blame, string.Create(CultureInfo.InvariantCulture, $"it answers {(int)response.StatusCode}"));
}

/// <summary>An answer of a web server.</summary>
/// <param name="Response">Disposed by the caller; null if there is a fault.</param>
/// <param name="Address">The file's address after redirects.</param>
/// <param name="Fault">Why the answer cannot be used; null if it can.</param>
internal readonly record struct WebSeedAnswer(HttpResponseMessage? Response, Uri Address, WebSeedFault? Fault);

/// <summary>What a fault of a web seed means for its further use.</summary>
internal enum WebSeedBlame
{
    /// <summary>A passing fault: the seed is asked again after a pause.</summary>
    Transient,

    /// <summary>The seed lacks one of the files. The others may still come from it.</summary>
    MissingFile,

    /// <summary>The seed cannot serve this torrent and is not asked again.</summary>
    Final,
}

/// <summary>Why the connection to a web seed was ended.</summary>
/// <param name="Blame">What the fault means for the further use of the seed.</param>
/// <param name="Reason">For the user: the end of a sentence, without full stop.</param>
internal sealed record WebSeedFault(WebSeedBlame Blame, string Reason)
{
    /// <summary>How long the server demands not to be asked; null = not stated.</summary>
    public TimeSpan? RetryIn { get; init; }

    /// <summary>Index of the file that the seed lacks; −1 = none.</summary>
    public int File { get; init; } = -1;
}
