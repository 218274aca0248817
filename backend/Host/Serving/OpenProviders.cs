using System.Net;
using System.Net.Sockets;
using NzbDav.Access.Outbound;
using NzbDav.Host.Settings;
using NzbDav.Usenet.Accounts;

namespace NzbDav.Host.Serving;

/// <summary>
/// Warns at the start about accounts outside the local network whose password can be read in transit: without TLS, or with a certificate
/// that is not checked.
/// </summary>
internal sealed partial class OpenProviders(SettingsBook book, ILogger<OpenProviders> logger) : BackgroundService
{
    /// <summary>Resolves a host name. Tests replace it.</summary>
    internal Func<string, CancellationToken, Task<IPAddress[]>> Resolve { get; init; } = static (host, cancellationToken) =>
        Dns.GetHostAddressesAsync(host, cancellationToken);

    /// <summary>Checks all accounts.</summary>
    internal async Task WarnAsync(IEnumerable<ProviderOptions> providers, CancellationToken cancellationToken)
    {
        foreach (var provider in providers.Where(provider => !provider.UseTls || !provider.VerifyCertificate))
        {
            if (await IsOutsideAsync(provider.Host, cancellationToken))
                LogOpen(logger, provider.Host,
                    provider.UseTls ? "accepts any certificate (VerifyCertificate=false)" : "uses no TLS (UseTls=false)");
        }
    }

    /// <inheritdoc/>
    protected override Task ExecuteAsync(CancellationToken stoppingToken) => WarnAsync(book.Current.Providers, stoppingToken);

    private async Task<bool> IsOutsideAsync(string host, CancellationToken cancellationToken)
    {
        if (IPAddress.TryParse(host, out var literal))
            return !PrivateNetworks.Contain(literal);
        try
        {
            return !Array.TrueForAll(await Resolve(host, cancellationToken), PrivateNetworks.Contain);
        }
        catch (SocketException)
        {
            // The name cannot be resolved now, so it may be outside the local network.
            return true;
        }
    }

    [LoggerMessage(466, LogLevel.Warning,
        "The connection to {Host} {Fault}: others on the way can read the account's password and change the articles.")]
    private static partial void LogOpen(ILogger logger, string host, string fault);
}
