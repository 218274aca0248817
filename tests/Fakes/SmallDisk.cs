using System.Runtime.InteropServices;

namespace NzbDav.Fakes;

/// <summary>
/// A file system of its own and of few bytes (tmpfs), so that a disk is full for real. Mounting needs rights: without them a test is passed
/// over and says so, but never in CI, unless <c>NZBDAV_CI_WITHOUT</c> says why nothing can be mounted there.
/// </summary>
public sealed partial class SmallDisk : IDisposable
{
    private const ulong ReadOnly = 1;
    private const ulong Remount = 32;
    private const int Detach = 2;

    private readonly DirectoryInfo _folder;

    private SmallDisk(DirectoryInfo folder) => _folder = folder;

    /// <summary>Where it is mounted.</summary>
    public string Path => _folder.FullName;

    /// <summary>Bytes that can still be written.</summary>
    public long Free => new DriveInfo(Path).AvailableFreeSpace;

    /// <summary>Why a test without one is skipped.</summary>
    public const string Refused = "A small disk cannot be mounted: that takes root on Linux.";

    /// <summary>Mounts one; null where that is not allowed.</summary>
    /// <param name="bytes">Its size.</param>
    /// <exception cref="InvalidOperationException">It is not allowed, and this is CI.</exception>
    public static SmallDisk? TryMount(long bytes)
    {
        var disk = new SmallDisk(Directory.CreateTempSubdirectory("nzbdav-small-disk-"));
        if (OperatingSystem.IsLinux() && Mount("tmpfs", disk.Path, "tmpfs", 0, $"size={bytes}") == 0)
            return disk;
        var why = $"A small disk cannot be mounted: {Marshal.GetLastPInvokeErrorMessage()}";
        disk._folder.Delete();
        var environment = Environment.GetEnvironmentVariables();
        if (environment.Contains("NZBDAV_CI") && !IsExcused(environment["NZBDAV_CI_WITHOUT"] as string))
            throw new InvalidOperationException(why);
        return null;
    }

    /// <summary>Gives it another size.</summary>
    public void Resize(long bytes)
    {
        if (Mount("tmpfs", Path, "tmpfs", Remount, $"size={bytes}") != 0)
            throw new IOException(Marshal.GetLastPInvokeErrorMessage());
    }

    /// <summary>Makes it read-only, or writable again. No file may be open for writing.</summary>
    public void SetReadOnly(bool isReadOnly)
    {
        if (Mount("tmpfs", Path, "tmpfs", isReadOnly ? Remount | ReadOnly : Remount, "") != 0)
            throw new IOException(Marshal.GetLastPInvokeErrorMessage());
    }

    /// <summary>Fills all remaining space.</summary>
    /// <returns>The file that fills it: delete it to free the space.</returns>
    public string Fill()
    {
        // The same file again, if the space that is left now was used before.
        var path = System.IO.Path.Combine(Path, "filler");
        using var file = File.OpenHandle(path, FileMode.OpenOrCreate, FileAccess.Write);
        var zeros = new byte[4_096];
        try
        {
            for (var at = RandomAccess.GetLength(file); ; at += zeros.Length)
                RandomAccess.Write(file, zeros, at);
        }
        catch (IOException)
        {
            return path;
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        // Works even while a file there is still open.
        _ = Unmount(Path, Detach);
        _folder.Delete();
    }

    private static bool IsExcused(string? without) =>
        without is not null && without.Split('\n').Any(static line => line.StartsWith("mount:", StringComparison.Ordinal));

    [LibraryImport("libc", EntryPoint = "mount", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Mount(string source, string target, string type, ulong flags, string data);

    [LibraryImport("libc", EntryPoint = "umount2", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Unmount(string target, int flags);
}
