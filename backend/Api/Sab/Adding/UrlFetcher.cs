using System.Net;
using System.Net.Sockets;
using NzbDav.Catalog;

namespace NzbDav.Api.Sab;

/// <summary>
/// Gets .nzb files over HTTP. An address inside a private network is refused unless its host is allowed: a key that may only bring jobs must not
/// reach what stands behind this server. Checked when connecting, so names and redirects cannot get around it. Thread-safe.
/// </summary>
internal sealed class UrlFetcher : IDisposable
{
    private static readonly IPNetwork[] Private =
    [
        // RFC 6890: not global.
        IPNetwork.Parse("0.0.0.0/8"), IPNetwork.Parse("10.0.0.0/8"), IPNetwork.Parse("100.64.0.0/10"), IPNetwork.Parse("127.0.0.0/8"),
        IPNetwork.Parse("169.254.0.0/16"), IPNetwork.Parse("172.16.0.0/12"), IPNetwork.Parse("192.0.0.0/24"), IPNetwork.Parse("192.168.0.0/16"),
        IPNetwork.Parse("198.18.0.0/15"), IPNetwork.Parse("224.0.0.0/3"),
        IPNetwork.Parse("::/127"), IPNetwork.Parse("64:ff9b:1::/48"), IPNetwork.Parse("fc00::/7"), IPNetwork.Parse("fe80::/10"), IPNetwork.Parse("ff00::/8"),
    ];

    private readonly Live<SabOptions> _options;
    private readonly HttpClient _http;

    public UrlFetcher(Live<SabOptions> options)
    {
        _options = options;
        var handler = new SocketsHttpHandler
        {
            ConnectCallback = ConnectAsync,
            AutomaticDecompression = DecompressionMethods.All,
            MaxAutomaticRedirections = 5,
            UseProxy = false,
            ConnectTimeout = TimeSpan.FromSeconds(15),
        };
        _http = new HttpClient(handler) { Timeout = TimeSpan.FromMinutes(2) };
        _http.DefaultRequestHeaders.UserAgent.ParseAdd("NzbDav");
    }

    public async Task<FetchedUrl> FetchAsync(string url, CancellationToken cancellationToken)
    {
        try
        {
            using var response = await _http.GetAsync(new Uri(url), HttpCompletionOption.ResponseHeadersRead, cancellationToken);
            if (!response.IsSuccessStatusCode)
                return new FetchedUrl(null, null, $"the server answered {(int)response.StatusCode} {response.ReasonPhrase}", MayPass: (int)response.StatusCode is 408 or 429 or >= 500);
            var body = new MemoryStream();
            await response.Content.LoadIntoBufferAsync(_options.Value.MaxUploadBytes, cancellationToken);
            await response.Content.CopyToAsync(body, cancellationToken);
            body.Position = 0;
            return new FetchedUrl(body, FileName(response), null, MayPass: false);
        }
        catch (HttpRequestException e) when (e.InnerException is RefusedAddressException refused)
        {
            return new FetchedUrl(null, null, refused.Message, MayPass: false);
        }
        catch (HttpRequestException e)
        {
            return new FetchedUrl(null, null, e.InnerException?.Message ?? e.Message, MayPass: e.HttpRequestError is not HttpRequestError.ConfigurationLimitExceeded);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return new FetchedUrl(null, null, "the server did not answer in time", MayPass: true);
        }
    }

    public void Dispose() => _http.Dispose();

    private static string FileName(HttpResponseMessage response)
    {
        var named = response.Content.Headers.ContentDisposition is { } disposition ? disposition.FileNameStar ?? disposition.FileName?.Trim('"') : null;
        named ??= response.Headers.TryGetValues("X-DNZB-Name", out var names) ? names.First() : null;
        var last = Uri.UnescapeDataString(response.RequestMessage!.RequestUri!.Segments[^1]);
        return string.IsNullOrWhiteSpace(named) ? last.Trim('/') is { Length: > 0 } name ? name : "unnamed.nzb" : named;
    }

    private async ValueTask<Stream> ConnectAsync(SocketsHttpConnectionContext context, CancellationToken cancellationToken)
    {
        var host = context.DnsEndPoint.Host;
        var allowed = _options.Value.PrivateHosts.Any(one => one == "*" || one.Equals(host, StringComparison.OrdinalIgnoreCase));
        var addresses = IPAddress.TryParse(host, out var literal) ? [literal] : await Dns.GetHostAddressesAsync(host, cancellationToken);
        var usable = Array.FindAll(addresses, address => allowed || !IsPrivate(address));
        if (usable.Length == 0)
            throw new RefusedAddressException($"{host} is in a private network: allow it with NzbDav__Api__PrivateHosts={host}");
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            await socket.ConnectAsync(usable, context.DnsEndPoint.Port, cancellationToken);
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static bool IsPrivate(IPAddress address)
    {
        if (address.IsIPv4MappedToIPv6)
            address = address.MapToIPv4();
        return Array.Exists(Private, network => network.Contains(address));
    }
}
