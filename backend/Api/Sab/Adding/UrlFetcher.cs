using System.Net;
using NzbDav.Catalog;

namespace NzbDav.Api.Sab;

/// <summary>Gets .nzb files over HTTP, straight into the spool. Private networks are refused: see <see cref="OutboundGuard"/>. Thread-safe.</summary>
internal sealed class UrlFetcher : IDisposable
{
    /// <summary>Until the head of the answer is there.</summary>
    private static readonly TimeSpan HeadPatience = TimeSpan.FromMinutes(2);

    /// <summary>For everything: 512 MiB at 8 Mbit/s take nine minutes.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(10);

    private readonly SabIntake _intake;
    private readonly TimeProvider _time;
    private readonly HttpClient _http;

    public UrlFetcher(SabIntake intake, Live<SabOptions> options, TimeProvider time)
    {
        _intake = intake;
        _time = time;
        var handler = new OutboundGuard(() => options.Value.PrivateHosts, "NzbDav__Api__PrivateHosts").CreateHandler();
        handler.AutomaticDecompression = DecompressionMethods.All;
        _http = new HttpClient(handler) { Timeout = HeadPatience };
        _http.DefaultRequestHeaders.UserAgent.ParseAdd("NzbDav");
    }

    /// <exception cref="CatalogException">What comes cannot be kept.</exception>
    public async Task<FetchedUrl> FetchAsync(string url, CancellationToken cancellationToken)
    {
        using var late = new CancellationTokenSource(Patience, _time);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(late.Token, cancellationToken);
        try
        {
            using var response = await _http.GetAsync(new Uri(url), HttpCompletionOption.ResponseHeadersRead, both.Token);
            if (response.Headers.Location is { IsAbsoluteUri: true, Scheme: "magnet" } magnet)
                return Failed("it leads to a magnet link", mayPass: false) with { Magnet = magnet.OriginalString };
            if (!response.IsSuccessStatusCode)
                return Failed($"the server answered {(int)response.StatusCode} {response.ReasonPhrase}", mayPass: (int)response.StatusCode is 408 or 429 or >= 500);
            await using var body = await response.Content.ReadAsStreamAsync(both.Token);
            return new FetchedUrl(await _intake.ReceiveAsync(body, both.Token), FileName(response), null, MayPass: false);
        }
        catch (HttpRequestException e) when (e.InnerException is RefusedAddressException refused)
        {
            return Failed(refused.Message, mayPass: false);
        }
        catch (HttpRequestException e)
        {
            return Failed(e.InnerException?.Message ?? e.Message, mayPass: true);
        }
        catch (IOException e) when (e is not CatalogException)
        {
            return Failed(e.Message, mayPass: true);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return Failed("the server did not answer in time", mayPass: true);
        }
    }

    public void Dispose() => _http.Dispose();

    private static FetchedUrl Failed(string error, bool mayPass) => new(null, null, error, mayPass);

    private static string FileName(HttpResponseMessage response)
    {
        var named = response.Content.Headers.ContentDisposition is { } disposition ? disposition.FileNameStar ?? disposition.FileName?.Trim('"') : null;
        named ??= response.Headers.TryGetValues("X-DNZB-Name", out var names) ? names.First() : null;
        var last = Uri.UnescapeDataString(response.RequestMessage!.RequestUri!.Segments[^1]);
        return string.IsNullOrWhiteSpace(named) ? last.Trim('/') is { Length: > 0 } name ? name : "unnamed.nzb" : named;
    }
}
