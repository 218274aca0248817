using NzbDav.Arr.Client;
using NzbDav.Arr.Repair;
using NzbDav.Arr.Resources;

namespace NzbDav.Arr.Library;

/// <summary>
/// Reads an application's whole list of files, and finds out which of them are links on disk. Makes many calls for a big library: call it
/// once an hour, not for each event. An incomplete answer is an error, because callers may delete files that are not in the list.
/// Thread-safe.
/// </summary>
/// <param name="client">The instance.</param>
/// <param name="links">Reads the library's files on this machine.</param>
public sealed class ArrLibrary(ArrClient client, LibraryLinks links)
{
    /// <summary>Allowance for different clocks: an import is recorded after the files are published, but by another machine.</summary>
    private static readonly TimeSpan Skew = TimeSpan.FromHours(1);

    /// <summary>Returns the files that are links.</summary>
    public async Task<ArrResult<ArrLinks>> ReadAsync(CancellationToken cancellationToken = default)
    {
        var roots = await client.RootFoldersAsync(cancellationToken);
        if (!roots.Succeeded)
            return new(roots.Error);
        var owners = await client.OwnersAsync(cancellationToken);
        if (!owners.Succeeded)
            return new(owners.Error);
        var files = new List<MediaFile>();
        foreach (var owner in owners.Value)
        {
            if (client.Application == ArrApplication.Radarr)
            {
                if (owner.MovieFile is not null)
                    files.Add(owner.MovieFile);
                continue;
            }

            var some = await client.FilesAsync(owner.Id, cancellationToken);

            // It was removed in the meantime.
            if (some.Error is { Kind: ArrErrorKind.NotFound })
                continue;
            if (!some.Succeeded)
                return new(some.Error);
            files.AddRange(some.Value);
        }

        return new(ReadLinks(files, [.. roots.Value.Select(root => root.Path.TrimEnd('/'))]));
    }

    /// <summary>Finds the state of a download.</summary>
    /// <param name="downloadId">The id that the application got for it.</param>
    /// <param name="folder">The folder that the application got for it, as the last two names of its path: <c>tv/Show</c>.</param>
    /// <param name="since">When the files were published.</param>
    /// <param name="cancellationToken">Ends the calls.</param>
    /// <returns>The state; an error if the history could not be read completely.</returns>
    public async Task<(ArrDownload State, ArrError? Error)> FindAsync(
        string downloadId, string folder, DateTimeOffset since, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(folder);
        var own = await client.HistoryAsync(downloadId, cancellationToken);
        if (!own.Succeeded)
            return (ArrDownload.Unknown, own.Error);
        if (own.Value.Any(item => item.IsImport))
            return (ArrDownload.Imported, null);

        // A manual import may have no download id. Its event has the original path of the file instead.
        var later = await client.HistorySinceAsync(since - Skew, cancellationToken);
        if (!later.Succeeded)
            return (ArrDownload.Unknown, later.Error);
        if (later.Value.Any(item => item.IsImport
            && (string.Equals(item.DownloadId, downloadId, StringComparison.OrdinalIgnoreCase) || IsFrom(item, folder))))
            return (ArrDownload.Imported, null);
        return (own.Value.Any(item => item.IsGrab) ? ArrDownload.Grabbed : ArrDownload.Unknown, null);
    }

    private static bool IsFrom(HistoryItem item, string folder) =>
        item.Data?.GetValueOrDefault("droppedPath") is { ValueKind: System.Text.Json.JsonValueKind.String } path
        && (path.GetString()!.Replace('\\', '/') + "/").Contains($"/{folder}/", StringComparison.OrdinalIgnoreCase);

    /// <summary>
    /// Reads the links among the files. If none of the files of a root folder exists, the folder cannot be seen from here; single files may
    /// be missing.
    /// </summary>
    private ArrLinks ReadLinks(List<MediaFile> files, string[] roots)
    {
        var found = new List<ArrLink>();
        string? unseenReason = null;
        foreach (var group in files.GroupBy(file => RootOf(file.Path, roots)))
        {
            var visible = 0;
            foreach (var file in group)
            {
                if (!links.Exists(file.Path))
                {
                    if (!links.IsGone(file.Path))
                        unseenReason ??= $"{file.Path} cannot be accessed from here: check the permissions";
                    continue;
                }

                visible++;
                if (links.TargetOf(file.Path) is { } target)
                    found.Add(new ArrLink(file.Path, target));
                else if (file.Path.EndsWith(".strm", StringComparison.OrdinalIgnoreCase))
                    unseenReason ??= $"{file.Path} cannot be read from here: check the permissions";
            }

            if (visible == 0)
                unseenReason ??=
                    $"none of its {group.Count()} files in {(group.Key.Length > 0 ? group.Key : "/")} can be seen from here: set " +
                    $"LibraryPath and LibraryPathHere, or check the mount";
        }

        return new ArrLinks(found, unseenReason);
    }

    private static string RootOf(string path, string[] roots) =>
        roots.Where(root => path.StartsWith(root + "/", StringComparison.Ordinal)).MaxBy(root => root.Length) ?? "";
}

/// <summary>The links in an application's library.</summary>
/// <param name="Links">The files that are links.</param>
/// <param name="Unseen">Why some files could not be examined from here, as a sentence; null: all were.</param>
public sealed record ArrLinks(IReadOnlyList<ArrLink> Links, string? Unseen);

/// <summary>A file in an application's library that is a symlink or a .strm file.</summary>
/// <param name="Path">Path as the application sees it.</param>
/// <param name="Target">Target of the link.</param>
public readonly record struct ArrLink(string Path, string Target);

/// <summary>The state of a download in an application.</summary>
public enum ArrDownload
{
    /// <summary>The application does not know it.</summary>
    Unknown,

    /// <summary>Grabbed, but nothing of it was ever imported.</summary>
    Grabbed,

    /// <summary>Something of it was imported, or may have been.</summary>
    Imported,
}
