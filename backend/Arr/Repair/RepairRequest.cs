using System.Web;

namespace NzbDav.Arr.Repair;

/// <summary>An imported file whose articles are gone.</summary>
/// <param name="FileId">The file's id in this gateway. Each file is repaired once.</param>
/// <param name="TargetPath">Its path in the tree, which ends the target of the library's link: <c>.ids/1/2/3/4/5/ID</c>. Without the path
/// of the mount, which differs between machines.</param>
/// <param name="DownloadId">The id that the application got for the download; null if unknown.</param>
public sealed record RepairRequest(string FileId, string TargetPath, string? DownloadId)
{
    private const string Ids = ".ids/";

    /// <summary>
    /// Its paths in another program, from the root of that program's tree. Links that were made there still have them as targets.
    /// </summary>
    public IReadOnlyCollection<string> OldPaths { get; init; } = [];

    /// <summary>
    /// Paths where trees may be mounted. A link to an old path that is not below <c>.ids</c> only counts directly below one of these: a
    /// real file may have the same name.
    /// </summary>
    public IReadOnlySet<string> Mounts { get; init; } = new HashSet<string>();

    /// <summary>
    /// True if a link leads to this file: its target ends with <see cref="TargetPath"/> or an old path, in whole names. In addresses, the
    /// query and percent-encoding are ignored.
    /// </summary>
    public bool IsTarget(string target)
    {
        ArgumentNullException.ThrowIfNull(target);
        var isAddress = target.Contains("://", StringComparison.Ordinal);
        var path = (isAddress ? Uri.UnescapeDataString(target.Split('?', '#')[0]) : target).TrimEnd('/');
        return Before(path, TargetPath.Trim('/')) is not null || OldPaths.Any(old => IsOld(old, path, isAddress ? target : null));
    }

    private bool IsOld(string old, string path, string? address)
    {
        if (old.StartsWith(Ids, StringComparison.Ordinal))
            return Before(path, old) is not null;
        if (address is null)
            return Before(path, old) is { } mount && Mounts.Contains(mount);

        // altmount: /api/files/stream?path=movies/Film/film.mkv&download_key=…
        return Uri.TryCreate(address, UriKind.Absolute, out var uri) && uri.AbsolutePath.EndsWith("/files/stream", StringComparison.Ordinal)
            && HttpUtility.ParseQueryString(uri.Query)["path"]?.Trim('/') == old;
    }

    /// <summary>
    /// The part of a path before the names that it ends with, without the '/' between them; null if it does not end with them.
    /// </summary>
    private static string? Before(string path, string names)
    {
        if (names.Length == 0 || !path.EndsWith(names, StringComparison.Ordinal))
            return null;
        return path.Length == names.Length
            ? "" : path[path.Length - names.Length - 1] == '/' ? path[..(path.Length - names.Length - 1)] : null;
    }
}
