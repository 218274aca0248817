using System.Net;
using NzbDav.Torrents.Settings;

namespace NzbDav.Host.Settings;

/// <summary>Torrents.</summary>
public sealed partial class SettingsReader
{
    /// <summary>64 GiB per second.</summary>
    private const int MostKiBps = 64 << 20;

    private TorrentSettings ReadTorrents()
    {
        var defaults = new TorrentSettings();
        var address = defaults.ListenAddress;
        if (Take("Torrents:ListenAddress", SettingKind.Text, address.ToString()) is { } text && !IPAddress.TryParse(text, out address!))
            Fault("Torrents:ListenAddress", $"'{text}' is not an address such as 0.0.0.0 or 192.168.1.2.");
        var texts = Names("Torrents:AlternativeTimes", []);
        if (WeekTimes.Parse(texts) is not { } times)
        {
            times = WeekTimes.None;
            Fault("Torrents:AlternativeTimes", $"'{string.Join(',', texts)}' are not times such as mon-fri 08:00-18:00, sat 10:00-24:00.");
        }

        return ReadNetwork(new TorrentSettings
        {
            Enabled = Flag("Torrents:Enabled", defaults.Enabled),
            ListenAddress = address ?? defaults.ListenAddress,
            Port = Number("Torrents:Port", defaults.Port, 0, 65_535),
            CacheMiB = Number("Torrents:CacheMiB", defaults.CacheMiB, 0, 64 << 20),
            WatchedReserveGiB = Number("Torrents:WatchedReserveGiB", defaults.WatchedReserveGiB, 0, 1 << 20),
            BudgetMiB = Number("Torrents:BudgetMiB", defaults.BudgetMiB, 16, 65_536),
            MaxPeers = Number("Torrents:MaxPeers", defaults.MaxPeers, 1, 1_000),
            MaxConnections = Number("Torrents:MaxConnections", defaults.MaxConnections, 10, 20_000),
            UploadSlots = Number("Torrents:UploadSlots", defaults.UploadSlots, 1, 100),
            DownloadLimit = Number("Torrents:DownloadLimit", defaults.DownloadLimit, 0, MostKiBps),
            UploadLimit = Number("Torrents:UploadLimit", defaults.UploadLimit, 0, MostKiBps),
            AlternativeTimes = times,
            AlternativeLimits = ReadAlternativeLimits(),
            AlternativeDownloadLimit = Number("Torrents:AlternativeDownloadLimit", defaults.AlternativeDownloadLimit, 0, MostKiBps),
            AlternativeUploadLimit = Number("Torrents:AlternativeUploadLimit", defaults.AlternativeUploadLimit, 0, MostKiBps),
            PeerExchange = Flag("Torrents:PeerExchange", defaults.PeerExchange),
            Utp = ReadUtp(),
            LocalDiscovery = Flag("Torrents:LocalDiscovery", defaults.LocalDiscovery),
            PrivateHosts = ReadHosts("Torrents:PrivateHosts"),
            KeepFolder = ReadKeepFolder(),
            Seeding = ReadSeeding(),
            Idle = TimeSpan.FromMinutes(Number("Torrents:IdleMinutes", (int)defaults.Idle.TotalMinutes, 1, 10_080)),
        });
    }

    private AlternativeLimits ReadAlternativeLimits()
    {
        switch (Choice("Torrents:AlternativeLimits", "times"))
        {
            case null or "times":
                return AlternativeLimits.AtTimes;
            case "always":
                return AlternativeLimits.Always;
            case "never":
                return AlternativeLimits.Never;
            case { } text:
                Fault("Torrents:AlternativeLimits", $"'{text}' is not one of times, always and never.");
                return AlternativeLimits.AtTimes;
        }
    }
}
