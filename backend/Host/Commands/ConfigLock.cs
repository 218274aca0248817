namespace NzbDav.Host.Commands;

/// <summary>Says that a server runs on a configuration folder: a locked file, released by the system however the process ends.</summary>
internal sealed class ConfigLock : IDisposable
{
    private readonly FileStream _file;

    private ConfigLock(FileStream file) => _file = file;

    /// <summary>Null when another process holds it.</summary>
    public static ConfigLock? TryTake(string folder)
    {
        try
        {
            return new ConfigLock(new FileStream(Path.Combine(folder, "nzbdav.lock"), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None));
        }
        catch (IOException)
        {
            return null;
        }
    }

    public void Dispose() => _file.Dispose();
}
