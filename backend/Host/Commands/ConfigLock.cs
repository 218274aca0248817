using NzbDav.Host.Serving;

namespace NzbDav.Host.Commands;

/// <summary>Marks a configuration folder as used by a server: a locked file, which the system releases however the process ends.</summary>
internal sealed class ConfigLock : IDisposable
{
    // errno EWOULDBLOCK of flock(2), and the error of Windows for a file that is open elsewhere.
    private const int LinuxWouldBlock = 11;
    private const int MacWouldBlock = 35;
    private const int WindowsSharing = unchecked((int)0x80070020);

    private readonly FileStream _file;

    private ConfigLock(FileStream file) => _file = file;

    /// <summary>Null if another process holds the lock.</summary>
    /// <exception cref="ServerStartException">It cannot be taken for another reason.</exception>
    public static ConfigLock? TryAcquire(string folder)
    {
        var path = Path.Combine(folder, "nzbdav.lock");
        try
        {
            return new ConfigLock(new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None));
        }
        catch (IOException e) when (e.HResult is LinuxWouldBlock or MacWouldBlock or WindowsSharing)
        {
            return null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new ServerStartException(
                $"{path} cannot be opened ({e.Message}). Check that the folder can be written by the user that runs NzbDav.");
        }
    }

    public void Dispose() => _file.Dispose();
}
