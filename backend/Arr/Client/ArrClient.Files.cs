using NzbDav.Arr.Resources;

namespace NzbDav.Arr.Client;

/// <content>The library: series, films, artists and their files.</content>
public sealed partial class ArrClient
{
    /// <summary>All series, films or artists. An expensive call in big libraries: cache the answer for a while.</summary>
    public Task<ArrResult<MediaOwner[]>> OwnersAsync(CancellationToken cancellationToken = default) =>
        _dialect.OwnerResource is { } resource
        ? GetAsync(resource, ArrJson.Default.MediaOwnerArray, cancellationToken)
        : Task.FromResult(NotSupported<MediaOwner[]>("library"));

    /// <summary>The files of one series, film or artist.</summary>
    public Task<ArrResult<MediaFile[]>> FilesAsync(int ownerId, CancellationToken cancellationToken = default) =>
        _dialect.FileResource is { } resource
        ? GetAsync($"{resource}?{_dialect.OwnerParameter}={Text(ownerId)}", ArrJson.Default.MediaFileArray, cancellationToken)
        : Task.FromResult(NotSupported<MediaFile[]>("library"));

    /// <summary>One file by its id.</summary>
    public Task<ArrResult<MediaFile>> FileAsync(int id, CancellationToken cancellationToken = default) =>
        _dialect.FileResource is { } resource
        ? GetAsync($"{resource}/{Text(id)}", ArrJson.Default.MediaFile, cancellationToken)
        : Task.FromResult(NotSupported<MediaFile>("library"));

    /// <summary>Deletes a file from disk and library. With a recycle bin the application moves it there.</summary>
    /// <returns>Null if the file is gone, even if it did not exist before.</returns>
    public Task<ArrError?> DeleteFileAsync(int id, CancellationToken cancellationToken = default) => _dialect.FileResource is { } resource
        ? DeleteAsync($"{resource}/{Text(id)}", cancellationToken)
        : Task.FromResult<ArrError?>(NotSupported("library"));

    /// <summary>The episodes in one of Sonarr's files.</summary>
    public Task<ArrResult<Episode[]>> EpisodesOfFileAsync(int fileId, CancellationToken cancellationToken = default) =>
        Application == ArrApplication.Sonarr
        ? GetAsync($"episode?episodeFileId={Text(fileId)}", ArrJson.Default.EpisodeArray, cancellationToken)
        : Task.FromResult(NotSupported<Episode[]>("episodes"));

    /// <summary>The root folders of the library.</summary>
    public Task<ArrResult<RootFolder[]>> RootFoldersAsync(CancellationToken cancellationToken = default) => _dialect.OwnerResource is null
        ? Task.FromResult(NotSupported<RootFolder[]>("root folders"))
        : GetAsync("rootfolder", ArrJson.Default.RootFolderArray, cancellationToken);

    /// <summary>
    /// Checks whether the application sees a download: a non-empty folder, or a file. An application that lists an empty folder sees the
    /// mount point of a missing mount.
    /// </summary>
    /// <param name="path">Path as the application sees it.</param>
    /// <param name="cancellationToken">Ends the calls.</param>
    /// <returns>The error if it could not be asked.</returns>
    public async Task<(bool Sees, ArrError? Error)> SeesAsync(string path, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        var separator = path.Contains('/', StringComparison.Ordinal) ? '/' : '\\';
        path = path.TrimEnd(separator);
        var inside = await FolderAsync(path + separator, cancellationToken);
        if (!inside.Succeeded || inside.Value.Files.Count + inside.Value.Directories.Count > 0)
            return (inside.Succeeded, inside.Error);
        var beside = await FolderAsync(path[..(path.LastIndexOf(separator) + 1)], cancellationToken);
        return (beside.Value?.Files.Any(file => file.Path == path) ?? false, beside.Error);
    }

    private Task<ArrResult<FolderListing>> FolderAsync(string path, CancellationToken cancellationToken) =>
        GetAsync($"filesystem?includeFiles=true&path={Uri.EscapeDataString(path)}", ArrJson.Default.FolderListing, cancellationToken);
}
