namespace NzbDav.Host.Settings;

/// <summary>The default budget of payload buffers, and of an .nzb: fixed shares of the machine's memory, within bounds.</summary>
internal static class DefaultBudget
{
    /// <summary>
    /// The least on any machine: 114 articles of read-ahead, which a line of 1 Gbit/s has in flight during a round trip of half a second. The process then stays below 220 MB.
    /// </summary>
    internal const int LeastMiB = 90;

    /// <summary>Four seconds at 1 Gbit/s: the read-ahead of readers.</summary>
    internal const int MostMiB = 512;

    /// <summary>Half a percent of the memory: 120 MiB of 24 GiB, 160 of 32, 320 of 64.</summary>
    internal const int PartOfMemory = 200;

    /// <summary>The budget of this machine. In a container with a memory limit the runtime counts three quarters of the limit.</summary>
    public static int MiB { get; } = Of(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes);

    /// <summary>The budget of a machine with this many bytes of memory.</summary>
    internal static int Of(long memory) => (int)Math.Clamp((memory >> 20) / PartOfMemory, LeastMiB, MostMiB);

    /// <summary>
    /// The largest .nzb on this machine, in MiB: a quarter of the memory, as an import takes about as much memory as its .nzb has bytes.
    /// 96 MiB in a container of 512 MiB, of which the runtime counts three quarters; a post of 500 GB has 80 MB.
    /// </summary>
    public static int NzbMiB { get; } = NzbOf(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes);

    /// <summary>The largest .nzb on a machine with this many bytes of memory.</summary>
    internal static int NzbOf(long memory) => (int)Math.Clamp((memory >> 20) / 4, 32, 512);
}
