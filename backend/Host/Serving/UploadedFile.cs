namespace NzbDav.Host.Serving;

/// <summary>A file that was sent, on the disk until it is disposed of.</summary>
/// <param name="Path">Where it is.</param>
internal sealed record UploadedFile(string Path) : IDisposable
{
    public void Dispose() => File.Delete(Path);
}
