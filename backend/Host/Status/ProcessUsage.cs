using Microsoft.Win32.SafeHandles;

namespace NzbDav.Host.Status;

/// <summary>Memory and processor time of this process. Allocates nothing after the constructor. Not thread-safe.</summary>
internal sealed class ProcessUsage : IDisposable
{
    /// <summary>Linux: sizes in pages; the second value is the resident size (proc_pid_statm(5)). Null elsewhere.</summary>
    private readonly SafeFileHandle? _sizes;

    private TimeSpan _processor = Environment.CpuUsage.TotalTime;

    public ProcessUsage()
    {
        try
        {
            _sizes = OperatingSystem.IsLinux() ? File.OpenHandle("/proc/self/statm") : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // /proc is not mounted.
        }
    }

    /// <summary>Bytes of memory in use.</summary>
    public long ReadMemory()
    {
        if (_sizes is null)
            return Environment.WorkingSet;
        Span<byte> text = stackalloc byte[128];
        text = text[..RandomAccess.Read(_sizes, text, fileOffset: 0)];
        var start = text.IndexOf((byte)' ') + 1;
        var pages = 0L;
        for (var i = start; i < text.Length && char.IsAsciiDigit((char)text[i]); i++)
            pages = (pages * 10) + text[i] - '0';
        return pages * Environment.SystemPageSize;
    }

    /// <summary>Processor time since the last call, as a share of the time of all processors.</summary>
    /// <param name="passed">Time since the last call.</param>
    public double SampleProcessorUse(TimeSpan passed)
    {
        var now = Environment.CpuUsage.TotalTime;
        var used = now - _processor;
        _processor = now;
        return passed > TimeSpan.Zero ? Math.Clamp(used / passed / Environment.ProcessorCount, 0, 1) : 0;
    }

    public void Dispose() => _sizes?.Dispose();
}
