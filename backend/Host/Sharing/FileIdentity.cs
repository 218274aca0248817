using System.Buffers.Binary;
using System.Globalization;
using System.Runtime.InteropServices;

namespace NzbDav.Host.Sharing;

/// <summary>
/// Distinguishes a file from its copies by inode number and creation time, which no copy keeps. A snapshot of the whole disk keeps both.
/// </summary>
internal static partial class FileIdentity
{
    // statx(2), linux/stat.h: the same on all architectures.
    private const int CurrentFolder = -100;
    private const uint Number = 0x100;
    private const uint Made = 0x800;
    private const int Size = 256;
    private const int NumberAt = 32;
    private const int MadeAt = 80;

    /// <summary>
    /// The identity of a file; unchanged when its content is replaced. Null: the system or the file system does not report it.
    /// </summary>
    public static string? Of(string path)
    {
        if (!OperatingSystem.IsLinux())
            return null;
        Span<byte> told = stackalloc byte[Size];
        try
        {
            if (GetStatus(CurrentFolder, path, flags: 0, Number | Made, ref MemoryMarshal.GetReference(told)) != 0)
                return null;
        }
        catch (EntryPointNotFoundException)
        {
            // A C library from before 2018.
            return null;
        }

        const uint Both = Number | Made;
        return (BinaryPrimitives.ReadUInt32LittleEndian(told) & Both) == Both
            ? string.Create(CultureInfo.InvariantCulture,
                $"{Long(told[NumberAt..])}-{Long(told[MadeAt..])}-{BinaryPrimitives.ReadUInt32LittleEndian(told[(MadeAt + 8)..])}")
            : null;
    }

    private static ulong Long(ReadOnlySpan<byte> bytes) => BinaryPrimitives.ReadUInt64LittleEndian(bytes);

    [LibraryImport("libc", EntryPoint = "statx", StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int GetStatus(int folder, string path, int flags, uint mask, ref byte status);
}
