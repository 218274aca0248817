using System.Diagnostics;

namespace NzbDav.TorrentTester.Processes;

/// <summary>A process that a run started: measures its resources, and ends it.</summary>
/// <param name="process">The process; owned.</param>
internal abstract class MeteredProcess(Process process) : IAsyncDisposable
{
    /// <summary>CPU time so far.</summary>
    public TimeSpan Cpu => Refreshed.TotalProcessorTime;

    /// <summary>The part of <see cref="Cpu"/> in the kernel.</summary>
    public TimeSpan KernelCpu => Refreshed.PrivilegedProcessorTime;

    /// <summary>Resident memory now, in bytes.</summary>
    public long Memory => Refreshed.WorkingSet64;

    /// <summary>Highest resident memory so far, in bytes.</summary>
    public long PeakMemory => Refreshed.PeakWorkingSet64;

    protected Process Process => process;

    private Process Refreshed
    {
        get
        {
            process.Refresh();
            return process;
        }
    }

    /// <summary>Ends the process and waits until it has exited.</summary>
    public virtual async ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        End();
        await process.WaitForExitAsync();
        process.Dispose();
    }

    /// <summary>Tells the process to end: closes its input, unless overridden.</summary>
    protected virtual void End() => process.StandardInput.Close();
}
