namespace NzbDav.Host.Commands;

/// <summary>A folder that is deleted on disposal.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("nzbdav-").FullName;

    public void Dispose()
    {
        try
        {
            Directory.Delete(Path, recursive: true);
        }
        catch (IOException)
        {
            // Files that are still in use are left to the system's own cleaning.
        }
    }
}
