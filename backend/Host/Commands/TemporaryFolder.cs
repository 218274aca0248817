namespace NzbDav.Host.Commands;

/// <summary>A folder that goes away at the end.</summary>
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
            // The system's own cleaning takes what is still in use.
        }
    }
}
