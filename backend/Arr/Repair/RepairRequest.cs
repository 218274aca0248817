using System.Web;

namespace NzbDav.Arr.Repair;

/// <summary>An imported file whose articles are gone.</summary>
/// <param name="FileId">Our id of it; a file is repaired once.</param>
/// <param name="TargetPath">Its path in the tree, which the library's link ends in: <c>.ids/1/2/3/4/5/ID</c>. Without the mount's path, which differs between machines.</param>
/// <param name="DownloadId">The download's id, as the application was told; null if it is not known.</param>
public sealed record RepairRequest(string FileId, string TargetPath, string? DownloadId)
{
    private const string Ids = ".ids/";

    /// <summary>Its paths in another program, from the root of that program's tree; links that were made there still name them.</summary>
    public IReadOnlyCollection<string> OldPaths { get; init; } = [];

    /// <summary>Where trees may be mounted. A link to one of <see cref="OldPaths"/> that is only names counts below these alone: a real file may be called the same.</summary>
    public IReadOnlySet<string> Mounts { get; init; } = new HashSet<string>();

    /// <summary>Whether a link leads to this file: its target ends in <see cref="TargetPath"/> or an old path, whole names only; a query and percent signs of an address do not matter.</summary>
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

    /// <summary>What stands before the names that a path ends in, without the '/' between; null if it does not end in them.</summary>
    private static string? Before(string path, string names)
    {
        if (names.Length == 0 || !path.EndsWith(names, StringComparison.Ordinal))
            return null;
        return path.Length == names.Length ? "" : path[path.Length - names.Length - 1] == '/' ? path[..(path.Length - names.Length - 1)] : null;
    }
}
