namespace NzbDav.Fakes;

/// <summary>A folder of a test's own. Disposal removes it with all that is in it.</summary>
public sealed class TemporaryFolder : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("nzbdav-tests-");

    public string Path => _folder.FullName;

    /// <summary>A path below it.</summary>
    public string At(params ReadOnlySpan<string> names) => System.IO.Path.Combine([Path, .. names]);

    public void Dispose() => _folder.Delete(recursive: true);
}
