using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.Logging;
using NzbDav.Fakes;
using NzbDav.Host.Serving;
using NzbDav.Usenet.Accounts;

namespace NzbDav.EndToEnd.Tests.Settings;

/// <summary>Which accounts cause a warning because others on the network path can read their passwords.</summary>
public sealed class OpenProviderTests
{
    [Theory]
    [InlineData("93.184.216.34", false, true, "uses no TLS")]
    [InlineData("93.184.216.34", true, false, "accepts any certificate")]
    [InlineData("93.184.216.34", true, true, null)]
    [InlineData("192.168.1.7", false, true, null)]
    [InlineData("::1", false, false, null)]
    [InlineData("news.public", false, true, "uses no TLS")]
    [InlineData("news.lan", false, true, null)]
    [InlineData("news.both", false, true, "uses no TLS")]
    [InlineData("news.unknown", true, false, "accepts any certificate")]
    public async Task An_account_outside_the_local_network_without_verified_TLS_causes_a_warning(
        string host, bool tls, bool verify, string? warning)
    {
        var log = new StubLog();
        using var loggers = LoggerFactory.Create(logging => logging.AddProvider(log));
        using var open = new OpenProviders(null!, loggers.CreateLogger<OpenProviders>()) { Resolve = Resolve };
        await open.WarnAsync([new ProviderOptions { Host = host, UseTls = tls, VerifyCertificate = verify }], CancellationToken.None);
        if (warning is null)
            Assert.Empty(log.Entries);
        else
            Assert.Contains($"The connection to {host} {warning}", Assert.Single(log.Entries).Text, StringComparison.Ordinal);
    }

    private static Task<IPAddress[]> Resolve(string host, CancellationToken cancellationToken) => Task.FromResult<IPAddress[]>(host switch
    {
        "news.public" => [IPAddress.Parse("93.184.216.34")],
        "news.lan" => [IPAddress.Parse("192.168.1.7"), IPAddress.Parse("fd00::7")],
        "news.both" => [IPAddress.Parse("192.168.1.7"), IPAddress.Parse("93.184.216.34")],
        _ => throw new SocketException((int)SocketError.HostNotFound),
    });
}
