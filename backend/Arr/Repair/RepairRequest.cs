namespace NzbDav.Arr.Repair;

/// <summary>An imported file whose articles are gone.</summary>
/// <param name="FileId">Our id of it; a file is repaired once.</param>
/// <param name="TargetPath">Its path in the tree, which the library's link ends in: <c>.ids/1/2/3/4/5/ID</c>. Without the mount's path, which differs between machines.</param>
/// <param name="DownloadId">The download's id, as the application was told; null if it is not known.</param>
public sealed record RepairRequest(string FileId, string TargetPath, string? DownloadId)
{
    /// <summary>Whether a link leads to this file: its target ends in <see cref="TargetPath"/>, whole names only; a query and percent signs of an address do not matter.</summary>
    public bool IsTarget(string target)
    {
        ArgumentNullException.ThrowIfNull(target);
        var path = target.Contains("://", StringComparison.Ordinal) ? Uri.UnescapeDataString(target.Split('?', '#')[0]) : target;
        var wanted = TargetPath.Trim('/');
        path = path.TrimEnd('/');
        return wanted.Length > 0 && path.EndsWith(wanted, StringComparison.Ordinal)
            && (path.Length == wanted.Length || path[path.Length - wanted.Length - 1] == '/');
    }
}
