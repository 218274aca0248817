using NzbDav.TorrentTester.Findings;

namespace NzbDav.TorrentTester.Stages;

/// <summary>The stages by name, in the order in which they run.</summary>
internal static class StageList
{
    public static IReadOnlyDictionary<string, Func<TesterOptions, Action<Figure>, CancellationToken, Task>> All { get; } =
        new Dictionary<string, Func<TesterOptions, Action<Figure>, CancellationToken, Task>>(StringComparer.Ordinal)
        {
            ["plain"] = PlainStage.RunAsync,
            ["unlimited"] = StreamStages.UnlimitedAsync,
            ["stream"] = StreamStages.LineAsync,
            ["peers"] = StreamStages.PeersAsync,
            ["upload"] = UploadStage.RunAsync,
            ["metadata"] = MetadataStage.RunAsync,
            ["trackers"] = TrackerStage.RunAsync,
            ["dht"] = DhtStage.RunAsync,
            ["poison"] = PoisonStage.RunAsync,
            ["churn"] = CrowdStages.ChurnAsync,
            ["crowd"] = CrowdStages.CrowdAsync,
            ["check"] = CheckStage.RunAsync,
            ["seek"] = SeekStages.RunAsync,
            ["start"] = SeekStages.StartAsync,
            ["web-seed"] = WebSeedStage.RunAsync,
            ["pair"] = StreamStages.PairAsync,
            ["probe"] = SeekStages.ProbeAsync,
            ["yield"] = YieldStage.RunAsync,
            ["encrypted"] = EncryptedStage.RunAsync,
            ["play"] = PlayStage.RunAsync,
            ["dav"] = DavStages.RunAsync,
            ["dav-unlimited"] = DavUnlimitedStage.RunAsync,
        };
}

/// <summary>Options of the stages.</summary>
internal sealed record TesterOptions(
    int SizeMiB, int Seeks, double[] RoundTrips, double Seconds, int Rounds, FileInfo? Torrent, string? Peer, bool Libtorrent);
