using System.Net;
using System.Net.Http.Headers;
using System.Net.Sockets;
using NzbDav.Access.Outbound;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Settings;
using NzbDav.Content.Dialling;
using NzbDav.Content.Proxies;
using NzbDav.Import.Intake;

namespace NzbDav.Api.Sab.Adding;

/// <summary>
/// Fetches .nzb files over HTTP, straight into the spool. Private networks are refused: see <see cref="OutboundGuard"/>. Thread-safe.
/// </summary>
internal sealed class UrlFetcher : IDisposable
{
    /// <summary>Time limit for the response headers.</summary>
    private static readonly TimeSpan HeaderTimeout = TimeSpan.FromMinutes(2);

    /// <summary>Time limit for the whole fetch: 512 MiB at 8 Mbit/s take nine minutes.</summary>
    private static readonly TimeSpan FetchTimeout = TimeSpan.FromMinutes(10);

    private const int MostRedirects = 5;

    private readonly SabIntake _intake;
    private readonly Live<SabOptions> _options;
    private readonly TimeProvider _time;
    private readonly OutboundGuard _guard;
    private readonly HttpClient _http;

    public UrlFetcher(SabIntake intake, Live<SabOptions> options, OwnNetworks own, TimeProvider time)
    {
        _intake = intake;
        _time = time;
        _options = options;
        _guard = new OutboundGuard(() => options.Value.PrivateHosts, "NzbDav__Api__PrivateHosts", own: own);
        var handler = _guard.CreateHandler(ConnectAsync);

        // Redirects are followed here: the handler throws on a redirect to anything but HTTP, and indexers redirect to magnet links.
        handler.AllowAutoRedirect = false;
        handler.AutomaticDecompression = DecompressionMethods.All;
        _http = new HttpClient(handler) { Timeout = HeaderTimeout };
    }

    /// <exception cref="CatalogException">The file cannot be stored.</exception>
    public async Task<FetchedUrl> FetchAsync(string url, CancellationToken cancellationToken)
    {
        using var late = new CancellationTokenSource(FetchTimeout, _time);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(late.Token, cancellationToken);
        try
        {
            return await FollowAsync(new Uri(url), both.Token);
        }
        catch (HttpRequestException e) when (e.InnerException is RefusedAddressException refused)
        {
            return Failed(refused.Message, mayPass: false);
        }
        catch (HttpRequestException e)
        {
            return Failed(e.InnerException?.Message ?? e.Message, mayPass: true);
        }
        catch (Exception e) when (e is IOException and not CatalogException or InvalidDataException)
        {
            return Failed(e.Message, mayPass: true);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return Failed("the server did not answer in time", mayPass: true);
        }
    }

    public void Dispose() => _http.Dispose();

    /// <summary>
    /// Connects to an address that the guard has let through; to a public one through the proxy, if there is one. The name was resolved
    /// here: a proxy that did so itself could be led into its own network, or into this one.
    /// </summary>
    private async ValueTask<Socket> ConnectAsync(IReadOnlyList<IPAddress> addresses, int port, CancellationToken cancellationToken)
    {
        if (_options.Value.Proxy is not { } proxy || _guard.IsPrivate(addresses[0]))
            return await Dialler.Shared.ConnectAsync(addresses, port, cancellationToken);
        var hosts = await Dns.GetHostAddressesAsync(proxy.Host, cancellationToken);
        var socket = await Dialler.Shared.ConnectAsync(hosts, proxy.Port, cancellationToken);
        try
        {
            await ProxyClient.ConnectAsync(socket, proxy, addresses[0].ToString(), port, cancellationToken);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private async Task<FetchedUrl> FollowAsync(Uri address, CancellationToken cancellationToken)
    {
        for (var redirects = 0; ; redirects++)
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, address);

            // Sent as configured, without validation: the User-Agents of other programs need not be valid.
            request.Headers.TryAddWithoutValidation("User-Agent", _options.Value.UserAgent);
            using var response = await _http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, cancellationToken);
            if (!response.IsSuccessStatusCode && LocationOf(response) is { } location)
            {
                if (location.StartsWith("magnet:", StringComparison.OrdinalIgnoreCase))
                    return Failed("it leads to a magnet link", mayPass: false) with { Magnet = location };

                // A redirect from https to http is a downgrade.
                if (!Uri.TryCreate(address, location, out var next) || next.Scheme is not ("http" or "https")
                    || (address.Scheme == "https" && next.Scheme == "http"))
                    return Failed("it leads to an address that is not fetched", mayPass: false);
                if (redirects == MostRedirects)
                    return Failed($"it redirects more than {MostRedirects} times", mayPass: false);
                address = next;
                continue;
            }

            if (!response.IsSuccessStatusCode)
                return Failed($"the server answered {(int)response.StatusCode} {response.ReasonPhrase}",
                    mayPass: (int)response.StatusCode is 408 or 429 or >= 500);
            await using var body = await response.Content.ReadAsStreamAsync(cancellationToken);
            return new FetchedUrl(await _intake.ReceiveAsync(body, cancellationToken), FileName(response), null, MayPass: false);
        }
    }

    /// <summary>The redirect target as it was sent: a magnet link need not be a valid <see cref="Uri"/>.</summary>
    private static string? LocationOf(HttpResponseMessage response) =>
        (int)response.StatusCode is 301 or 302 or 303 or 307 or 308
            && response.Headers.NonValidated.TryGetValues("Location", out var values) ? values.First() : null;

    private static FetchedUrl Failed(string error, bool mayPass) => new(null, null, error, mayPass);

    private static string FileName(HttpResponseMessage response)
    {
        var named = response.Content.Headers.ContentDisposition is { } disposition ? FileName(disposition) : null;
        named ??= response.Headers.TryGetValues("X-DNZB-Name", out var names) ? names.First() : null;
        var last = Uri.UnescapeDataString(response.RequestMessage!.RequestUri!.Segments[^1]);
        return string.IsNullOrWhiteSpace(named) ? last.Trim('/') is { Length: > 0 } name ? name : "unnamed.nzb" : named;
    }

    private static string? FileName(ContentDispositionHeaderValue disposition)
    {
        try
        {
            // Without a value ("filename*" and nothing behind it) the framework throws.
            var isWhole = disposition.Parameters.All(
                static parameter => parameter.Value is not null || !parameter.Name.Equals("filename*", StringComparison.OrdinalIgnoreCase));
            if (isWhole && disposition.FileNameStar is { } name)
                return name;
        }
        catch (NotSupportedException)
        {
            // UTF-7: an encoding that the runtime recognises but refuses to decode.
        }

        return disposition.FileName?.Trim('"');
    }
}

/// <summary>The result of fetching an address.</summary>
/// <param name="Body">The file; the receiver disposes it. Null on failure.</param>
/// <param name="FileName">The name given by the server, otherwise from the address.</param>
/// <param name="Error">Why it failed, as text; null on success.</param>
/// <param name="MayPass">True if trying again later may succeed.</param>
internal sealed record FetchedUrl(IntakeFile? Body, string? FileName, string? Error, bool MayPass)
{
    /// <summary>
    /// The magnet link to which the address redirects; <see cref="Error"/> is set too, for callers that need a file. Null: none.
    /// </summary>
    public string? Magnet { get; init; }
}
