using System.Runtime.InteropServices;

namespace NzbDav.Mocks;

/// <summary>Sleeps of less than a millisecond, which no managed wait offers without spinning.</summary>
public static partial class NativeSleep
{
    /// <param name="ticks">Duration in units of 100 ns. On Windows the thread only yields; a signal may end a sleep early.</param>
    public static void For(long ticks)
    {
        if (OperatingSystem.IsWindows())
        {
            Thread.Yield();
            return;
        }

        var wanted = new TimeSpec
        { Seconds = (nint)(ticks / TimeSpan.TicksPerSecond), Nanoseconds = (nint)(ticks % TimeSpan.TicksPerSecond * 100) };
        // An interrupted sleep only ends early: the caller checks the clock again.
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
