using System.Runtime.InteropServices;

namespace NzbDav.Host.Serving;

/// <summary>
/// The heap of the C library, which the just-in-time compiler takes its memory from: at the start some hundred blocks of 64 KiB on several threads at
/// once. The GNU library gives each thread an arena of its own and keeps what is freed there for good. Elsewhere nothing happens.
/// </summary>
internal static partial class NativeHeap
{
    /// <summary>Numbers of malloc.h (GNU C Library, "Malloc Tunable Parameters").</summary>
    private const int TrimThreshold = -1, MapThreshold = -3, ArenasMax = -8;

    /// <summary>
    /// Lets blocks of 64 KiB and more go back to the system when they are freed, and small ones share two arenas: 6 MiB less at the peak of the server
    /// (docs/benchmarks.md). Before anything else, for an arena that exists stays. Nothing depends on it: what a library refuses stays as it is.
    /// </summary>
    public static void GiveBack()
    {
        if (!OperatingSystem.IsLinux())
            return;
        try
        {
            _ = Set(ArenasMax, 2);
            _ = Set(MapThreshold, 65_000);
            _ = Set(TrimThreshold, 128 << 10);
        }
        catch (EntryPointNotFoundException)
        {
            // Another C library, such as musl, which has no such knobs.
        }
    }

    /// <summary>1 if it was set.</summary>
    [LibraryImport("libc", EntryPoint = "mallopt")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Set(int parameter, int value);
}
