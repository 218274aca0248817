using System.Net;
using System.Net.Security;
using System.Net.Sockets;

namespace NzbDav.Host.Commands;

/// <summary>Queries a server's health, for containers that have no other HTTP client.</summary>
internal static class HealthCheckCommand
{
    /// <summary>Less than the time limit of the image's health check.</summary>
    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(4);

    public static async Task<int> RunAsync(string url, bool ready, CancellationToken cancellationToken)
    {
        // The certificate names the public host, not localhost, and nothing secret is sent.
#pragma warning disable CA5359
        using var handler = new SocketsHttpHandler
        {
            UseProxy = false,
            SslOptions = new SslClientAuthenticationOptions { RemoteCertificateValidationCallback = static (_, _, _, _) => true }
        };
#pragma warning restore CA5359
        using var http = new HttpClient(handler) { Timeout = Timeout };
        try
        {
            using var response = await http.GetAsync(new Uri(url.TrimEnd('/') + (ready ? "/health/ready" : "/health")), cancellationToken);
            Console.WriteLine(await response.Content.ReadAsStringAsync(cancellationToken));
            return response.StatusCode == HttpStatusCode.OK ? 0 : 1;
        }
        catch (Exception e) when (e is HttpRequestException or OperationCanceledException or UriFormatException or SocketException)
        {
            await Console.Error.WriteLineAsync($"nzbdav: {url} does not answer: {e.Message}");
            return 1;
        }
    }
}
