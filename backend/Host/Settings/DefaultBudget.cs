namespace NzbDav.Host.Settings;

/// <summary>The budget of payload buffers when none is set: a fixed part of the machine's memory, within bounds.</summary>
internal static class DefaultBudget
{
    /// <summary>
    /// Whatever the machine: room for 114 articles of read-ahead, which is what a line of 1 Gbit/s has on its way in a round trip of half a second. The process then stays below 220 MB.
    /// </summary>
    internal const int LeastMiB = 90;

    /// <summary>At 16 MB/s each (a film of 128 Mbit/s) 32 readers have their second of stock; more brings nothing that was measured.</summary>
    internal const int MostMiB = 512;

    /// <summary>What more memory gives: a hundred and sixtieth. 150 MiB of 24 GiB, 200 of 32.</summary>
    internal const int PartOfMemory = 160;

    /// <summary>For this machine; in a container whose memory is limited the runtime counts three quarters of the limit.</summary>
    public static int MiB { get; } = Of(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes);

    /// <summary>For a machine with so many bytes of memory.</summary>
    internal static int Of(long memory) => (int)Math.Clamp((memory >> 20) / PartOfMemory, LeastMiB, MostMiB);
}
