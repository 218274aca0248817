using System.Runtime.InteropServices;

namespace NzbDav.Host.Serving;

/// <summary>
/// The heap of the C library, from which the just-in-time compiler allocates: at the start about a hundred blocks of 64 KiB on several
/// threads at once. The GNU library gives each thread its own arena and keeps what is freed there. On other systems this class does
/// nothing.
/// </summary>
internal static partial class NativeHeap
{
    /// <summary>Numbers of malloc.h (GNU C Library, "Malloc Tunable Parameters").</summary>
    private const int TrimThreshold = -1, MapThreshold = -3, ArenasMax = -8;

    /// <summary>
    /// Returns blocks of 64 KiB and more to the system when they are freed, and lets small ones share two arenas: 6 MiB less at the
    /// server's peak (docs/benchmarks.md). Must run first, because existing arenas stay. Optional: a parameter that the library refuses
    /// stays unchanged.
    /// </summary>
    public static void TuneAllocator()
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
            // Another C library, such as musl, which does not have these parameters.
        }
    }

    /// <summary>1 if it was set.</summary>
    [LibraryImport("libc", EntryPoint = "mallopt")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Set(int parameter, int value);
}
