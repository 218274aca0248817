using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;

namespace NzbDav.Host.Operations;

/// <summary>Runs long work with lower priority than everything else on the machine: streams come first. Thread-safe.</summary>
internal static partial class LowPriority
{
    /// <summary>
    /// A tenth of a normal thread's weight. Not 19: the garbage collector stops all threads and waits for each to reach a safe point, so on
    /// busy processors a thread that hardly runs would delay the others.
    /// </summary>
    internal const int Nice = 10;

    // linux/ioprio.h: the class is stored above 13 bits of data. The idle class gets the disk only when nobody else uses it.
    internal const int IdleDisk = 3 << 13;

    private const int ThisThread = 0;
    private const int OfThread = 0;
    private const int DiskOfThread = 1;

    /// <summary>
    /// Runs the work on a thread of its own, with low priority for processor and disk on Linux, and blocks the calling thread until it
    /// ends. The work must not queue anything to the thread pool: a pool thread started by it would keep its priority.
    /// </summary>
    /// <returns>What the work returned; what it throws is thrown here.</returns>
    public static T Run<T>(Func<T> work)
    {
        var result = default(T);
        ExceptionDispatchInfo? failure = null;
        var thread = new Thread(() =>
        {
            try
            {
                Apply();
                result = work();
            }
            catch (Exception e)
            {
                failure = ExceptionDispatchInfo.Capture(e);
            }
        })
        {
            IsBackground = true,
            Name = "low priority",
        };
        thread.Start();
        thread.Join();
        failure?.Throw();
        return result!;
    }

    /// <summary>If the system refuses, the work is done at normal priority.</summary>
    private static void Apply()
    {
        if (!OperatingSystem.IsLinux())
            return;
        _ = SetPriority(OfThread, ThisThread, Nice);
        if (SetDiskPriorityNumber is { } number)
            _ = SystemCall(number, DiskOfThread, ThisThread, IdleDisk);
    }

    /// <summary>The number of the system call: glibc has no function for ioprio_set.</summary>
    private static nint? SetDiskPriorityNumber => RuntimeInformation.ProcessArchitecture switch
    {
        Architecture.X64 => 251,
        Architecture.Arm64 => 30,
        _ => null,
    };

    [LibraryImport("libc", EntryPoint = "setpriority", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int SetPriority(int which, int who, int priority);

    [LibraryImport("libc", EntryPoint = "syscall", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial nint SystemCall(nint number, nint first, nint second, nint third);
}
