using System.Globalization;
using System.Runtime.InteropServices;
using NzbDav.Host.Operations;

namespace NzbDav.EndToEnd.Tests.Serving;

/// <summary>Background work such as backups runs at low priority without affecting other threads.</summary>
public sealed partial class LowPriorityTests
{
    [Fact]
    public void Only_the_work_runs_at_low_processor_and_disk_priority()
    {
        var before = Priorities();
        var during = LowPriority.Run(Priorities);
        Assert.Equal(LowPriority.Nice, during.Nice);
        Assert.Equal(LowPriority.IdleDisk, during.Disk);
        Assert.Equal(before, Priorities());
    }

    [Fact]
    public void An_exception_of_the_work_reaches_the_caller() =>
        Assert.Equal(
            "no room", Assert.Throws<IOException>(() => LowPriority.Run<int>(static () => throw new IOException("no room"))).Message);

    /// <summary>Priorities of the calling thread.</summary>
    private static (int Nice, int Disk) Priorities()
    {
        // proc(5): the thread's name is in parentheses and may contain spaces; nice is the 19th field.
        var stat = File.ReadAllText("/proc/thread-self/stat");
        var nice = stat[(stat.LastIndexOf(')') + 2)..].Split(' ')[16];
        return (int.Parse(nice, CultureInfo.InvariantCulture),
            (int)SystemCall(RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 252 : 31, 1, 0));
    }

    [LibraryImport("libc", EntryPoint = "syscall")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial nint SystemCall(nint number, nint first, nint second);
}
