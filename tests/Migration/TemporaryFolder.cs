namespace NzbDav.Migration.Tests;

/// <summary>A folder of a test's own, gone at its end.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("nzbdav-migration-").FullName;

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
