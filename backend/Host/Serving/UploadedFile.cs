namespace NzbDav.Host.Serving;

/// <summary>An uploaded file, on disk until it is disposed.</summary>
/// <param name="Path">Where it is.</param>
internal sealed record UploadedFile(string Path) : IDisposable
{
    public void Dispose() => File.Delete(Path);
}
