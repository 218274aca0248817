using System.Net;
using System.Net.Sockets;
using NzbDav.Access;
using NzbDav.Host.Settings;
using NzbDav.Usenet.Providers;

namespace NzbDav.Host.Serving;

/// <summary>Warns at the start of accounts outside the own network whose password others on the way can read: without TLS, or with a certificate that nobody checks.</summary>
internal sealed partial class OpenProviders(SettingsBook book, ILogger<OpenProviders> logger) : BackgroundService
{
    /// <summary>Finds a host's addresses. Tests have names of their own.</summary>
    internal Func<string, CancellationToken, Task<IPAddress[]>> Resolve { get; init; } = static (host, cancellationToken) => Dns.GetHostAddressesAsync(host, cancellationToken);

    /// <summary>Looks at all accounts.</summary>
    internal async Task WarnAsync(IEnumerable<ProviderOptions> providers, CancellationToken cancellationToken)
    {
        foreach (var provider in providers.Where(provider => !provider.UseTls || !provider.VerifyCertificate))
        {
            if (await IsOutsideAsync(provider.Host, cancellationToken))
                LogOpen(logger, provider.Host, provider.UseTls ? "accepts any certificate (VerifyCertificate=false)" : "uses no TLS (UseTls=false)");
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
            // Not known here and now; wherever it is, it is not known to be near.
            return true;
        }
    }

    [LoggerMessage(455, LogLevel.Warning, "The connection to {Host} {Fault}: others on the way can read the account's password and change what comes.")]
    private static partial void LogOpen(ILogger logger, string host, string fault);
}
