using NzbDav.FullNzbTester.Dav;
using NzbDav.FullNzbTester.Findings;

namespace NzbDav.FullNzbTester.Soak;

/// <summary>
/// A row of the soak's table: the server's resources at its end, and the players' experience since the previous row. Immutable.
/// </summary>
internal sealed record SoakSample
{
    /// <summary>Time since the players started.</summary>
    public TimeSpan At { get; init; }

    public double ResidentMiB { get; init; }

    /// <summary>Heap after the latest collection; null if the server does not say.</summary>
    public double? HeapMiB { get; init; }

    /// <summary>Open descriptors of the server's process.</summary>
    public int Handles { get; init; }

    public int Threads { get; init; }

    /// <summary>Connections to the providers.</summary>
    public double? Connections { get; init; }

    /// <summary>Megabytes per second over all players.</summary>
    public double Rate { get; init; }

    /// <summary>The longest read of any player, in milliseconds.</summary>
    public double LongestMs { get; init; }

    /// <summary>Faults that began.</summary>
    public IReadOnlyList<string> Faults { get; init; } = [];

    /// <summary>Takes a sample of the server now.</summary>
    public static async Task<SoakSample> OfAsync(ServerProcess server, CancellationToken cancellationToken)
    {
        var (resident, handles, threads) = server.Holdings;
        var page = await server.ReadMetricsAsync(cancellationToken);
        return new SoakSample
        {
            ResidentMiB = resident,
            HeapMiB = page?.Total("dotnet_gc_last_collection_heap_size_bytes") / Units.MiB,
            Handles = handles,
            Threads = threads,
            Connections = page?.Total("nzbdav_usenet_connections"),
        };
    }
}
