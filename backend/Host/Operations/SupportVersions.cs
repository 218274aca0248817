using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;
using NzbDav.Catalog.Opening;

namespace NzbDav.Host.Operations;

/// <summary>The environment that the server runs in.</summary>
internal sealed record SupportVersions
{
    public string? Version { get; init; } = typeof(SupportVersions).Assembly.GetName().Version?.ToString(3);

    public string System { get; init; } = RuntimeInformation.OSDescription;

    public string Architecture { get; init; } = RuntimeInformation.ProcessArchitecture.ToString();

    public string Runtime { get; init; } = RuntimeInformation.FrameworkDescription;

    public string Sqlite { get; init; } = CatalogOpening.SqliteVersion;

    public int Processors { get; init; } = Environment.ProcessorCount;

    /// <summary>The instruction sets used by yEnc, CRC-32 and AES.</summary>
    public string[] Instructions { get; init; } =
    [
        .. new (string Name, bool Has)[]
        {
            ("Vector128", Vector128.IsHardwareAccelerated), ("Vector256", Vector256.IsHardwareAccelerated),
                ("Vector512", Vector512.IsHardwareAccelerated),
            ("PCLMULQDQ", Pclmulqdq.IsSupported), ("AES", Aes.IsSupported),
                ("ArmCrc32", global::System.Runtime.Intrinsics.Arm.Crc32.IsSupported),
        }.Where(one => one.Has).Select(one => one.Name),
    ];

    /// <summary>Bytes of memory available to the process: the machine's, or the container's if that is less.</summary>
    public long MemoryLimit { get; init; } = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;

    /// <summary>The control group's limit, as written there; null outside a control group.</summary>
    public string? ContainerMemoryLimit { get; init; } = Read("/sys/fs/cgroup/memory.max");

    public string? ContainerProcessorLimit { get; init; } = Read("/sys/fs/cgroup/cpu.max");

    public long WorkingSet { get; init; } = Environment.WorkingSet;

    public long ManagedHeap { get; init; } = GC.GetTotalMemory(forceFullCollection: false);

    public DateTimeOffset Started { get; init; } = new(Process.GetCurrentProcess().StartTime);

    private static string? Read(string path)
    {
        try
        {
            return File.Exists(path) ? File.ReadAllText(path).Trim() : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
