using System.Globalization;
using System.Net;
using NzbDav.Torrents;
using NzbDav.Torrents.Settings;

namespace NzbDav.TorrentTester.Processes;

/// <summary>A DHT node in this process through which the measured engines enter the DHT: they work as in a real swarm, and nothing leaves the loopback interface.</summary>
internal static class LocalDht
{
    private static readonly Lazy<TorrentEngine> Node = new(static () => new TorrentEngine(
        new TorrentOptions { Listen = new IPEndPoint(IPAddress.Loopback, 0), Dht = true, DhtBootstrap = ["127.0.0.1:9"] }, TimeProvider.System));

    /// <summary>Its address, as <c>host:port</c>. The node starts on first use and lives as long as the process.</summary>
    public static string Address => string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{Node.Value.Port}");
}
