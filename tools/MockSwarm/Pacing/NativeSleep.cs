using System.Runtime.InteropServices;

namespace NzbDav.MockSwarm;

/// <summary>Sleeps of less than a millisecond, which no managed wait offers without spinning.</summary>
internal static partial class NativeSleep
{
    public static void For(long ticks)
    {
        if (OperatingSystem.IsWindows())
        {
            Thread.Yield();
            return;
        }

        var wanted = new TimeSpec { Seconds = (nint)(ticks / TimeSpan.TicksPerSecond), Nanoseconds = (nint)(ticks % TimeSpan.TicksPerSecond * 100) };
        // An interrupted sleep only ends early: the caller looks at the clock again.
        _ = NanoSleep(in wanted, 0);
    }

    [LibraryImport("libc", EntryPoint = "nanosleep")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int NanoSleep(in TimeSpec wanted, nint left);

    private struct TimeSpec
    {
        public nint Seconds;
        public nint Nanoseconds;
    }
}
