using System.Globalization;
using System.Runtime.InteropServices;
using NzbDav.Host.Operations;

namespace NzbDav.EndToEnd.Tests;

/// <summary>Backups and the like give way, and nobody else does because of them.</summary>
public sealed partial class LowPriorityTests
{
    [Fact]
    public void Only_the_work_gets_a_low_priority_for_processor_and_disk()
    {
        var before = Priorities();
        var during = LowPriority.Run(Priorities);
        Assert.Equal(LowPriority.Nice, during.Nice);
        Assert.Equal(LowPriority.IdleDisk, during.Disk);
        Assert.Equal(before, Priorities());
    }

    [Fact]
    public void What_the_work_throws_is_thrown_to_the_caller() =>
        Assert.Equal("no room", Assert.Throws<IOException>(() => LowPriority.Run<int>(static () => throw new IOException("no room"))).Message);

    /// <summary>Those of the calling thread.</summary>
    private static (int Nice, int Disk) Priorities()
    {
        // proc(5): the name of the thread, which may hold blanks, stands in parentheses; nice is the 19th field.
        var stat = File.ReadAllText("/proc/thread-self/stat");
        var nice = stat[(stat.LastIndexOf(')') + 2)..].Split(' ')[16];
        return (int.Parse(nice, CultureInfo.InvariantCulture), (int)SystemCall(RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 252 : 31, 1, 0));
    }

    [LibraryImport("libc", EntryPoint = "syscall")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial nint SystemCall(nint number, nint first, nint second);
}
