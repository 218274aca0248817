namespace NzbDav.Migration.Altmount;

/// <summary>A file of altmount's tree.</summary>
/// <param name="Path">From the root of the tree, without a '/' before it.</param>
/// <param name="Meta">Its .meta file; null: it cannot be read.</param>
/// <param name="Problem">Why it cannot be read, as a sentence without a full stop; null: it can.</param>
/// <param name="NzbdavId">The Guid of nzbdav's item that it came from; null: none.</param>
internal sealed record AltmountFile(string Path, MetaFile? Meta, string? Problem, Guid? NzbdavId)
{
    /// <summary>Key shared by the files of one release: its store, its .nzb, or its folder.</summary>
    public string Release => Meta is { StorePath.Length: > 0 } stored ? "store:" + stored.StorePath
        : Meta is { NzbPath.Length: > 0 } posted ? "nzb:" + posted.NzbPath
        : "folder:" + (Path.LastIndexOf('/') is > 0 and var slash ? Path[..slash] : Path);
}
