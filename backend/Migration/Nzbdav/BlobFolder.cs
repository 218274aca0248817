namespace NzbDav.Migration.Nzbdav;

/// <summary>nzbdav's <c>blobs/</c>: layouts and .nzb files by Guid.</summary>
internal sealed class BlobFolder(string configuration)
{
    /// <summary>The path of a blob; null if it is not there.</summary>
    public string? Find(Guid id)
    {
        var name = id.ToString("D");
        var path = Path.Combine(configuration, "blobs", name[..2], name[2..4], name);
        return File.Exists(path) ? path : null;
    }
}
