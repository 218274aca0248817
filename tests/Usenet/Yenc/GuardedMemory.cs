using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace NzbDav.Usenet.Tests.Yenc;

/// <summary>
/// Memory between two pages that must not be touched: reading or writing a byte beyond either end ends the process. Linux only; an
/// array elsewhere.
/// </summary>
internal sealed class GuardedMemory : IDisposable
{
    /// <summary>The largest page size in use, a multiple of the others.</summary>
    private const int Page = 64 << 10;

    private readonly byte[] _plain = [];
    private readonly nint _map;
    private readonly nuint _mapped;

    /// <param name="length">Usable bytes, at most a page.</param>
    public GuardedMemory(int length)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(length, Page);
        if (!OperatingSystem.IsLinux())
        {
            _plain = new byte[Page];
            return;
        }

        // PROT_NONE; MAP_PRIVATE | MAP_ANONYMOUS; then PROT_READ | PROT_WRITE for the middle.
        _mapped = 3 * Page;
        _map = Map(0, _mapped, protection: 0, flags: 0x22, -1, 0);
        if (_map == -1 || Protect(_map + Page, Page, protection: 3) != 0)
            throw new InvalidOperationException("No guarded memory.");
    }

    /// <summary>Bytes right after the first guard page.</summary>
    public Span<byte> AtStart(int length) => Whole[..length];

    /// <summary>Bytes right before the last guard page.</summary>
    public Span<byte> AtEnd(int length) => Whole[^length..];

    private Span<byte> Whole =>
        _map == 0 ? _plain : MemoryMarshal.CreateSpan(ref Unsafe.AddByteOffset(ref Unsafe.NullRef<byte>(), _map + Page), Page);

    public void Dispose()
    {
        if (_map != 0)
            _ = Unmap(_map, _mapped);
    }

#pragma warning disable SYSLIB1054 // Generated marshalling needs unsafe code, which this project does not allow; these arguments need none.
    [DllImport("libc", EntryPoint = "mmap")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern nint Map(nint address, nuint length, int protection, int flags, int file, nint offset);

    [DllImport("libc", EntryPoint = "mprotect")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Protect(nint address, nuint length, int protection);

    [DllImport("libc", EntryPoint = "munmap")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Unmap(nint address, nuint length);
#pragma warning restore SYSLIB1054
}
