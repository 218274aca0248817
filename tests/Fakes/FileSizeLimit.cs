using System.Runtime.InteropServices;

namespace NzbDav.Fakes;

/// <summary>Limits the size of every file that this process writes, as <c>ulimit -f</c> does, until it is disposed: a write beyond it fails
/// with EFBIG. Linux. Nothing else may run meanwhile.</summary>
public sealed partial class FileSizeLimit : IDisposable
{
    // RLIMIT_FSIZE and SIGXFSZ, which ends a process that does not handle it.
    private const int Resource = 1;
    private const PosixSignal Exceeded = (PosixSignal)25;

    // For as long as the process lives: the runtime handles a signal later than it comes, and ends the process if nobody ignores it by
    // then.
    private static readonly PosixSignalRegistration Ignored = PosixSignalRegistration.Create(
        Exceeded, static context => context.Cancel = true);

    /// <param name="bytes">The most that a file may have.</param>
    /// <exception cref="IOException">The limit cannot be set.</exception>
    public FileSizeLimit(ulong bytes)
    {
        _ = Ignored;
        Set(0, bytes);
    }

    /// <summary>Limits another process from now on. It must ignore SIGXFSZ.</summary>
    /// <param name="process">Its id; 0: this one.</param>
    /// <param name="bytes">The most that a file may have; null: no limit.</param>
    /// <exception cref="IOException">The limit cannot be set.</exception>
    public static void Set(int process, ulong? bytes)
    {
        var limit = new Limit(bytes ?? ulong.MaxValue, ulong.MaxValue);
        if (SetLimit(process, Resource, in limit, IntPtr.Zero) != 0)
            throw new IOException(Marshal.GetLastPInvokeErrorMessage());
    }

    /// <inheritdoc/>
    public void Dispose() => Set(0, null);

    [LibraryImport("libc", EntryPoint = "prlimit", SetLastError = true)]
    private static partial int SetLimit(int process, int resource, in Limit limit, IntPtr former);

    [StructLayout(LayoutKind.Sequential)]
    private readonly record struct Limit(ulong Soft, ulong Hard);
}
