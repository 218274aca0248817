using NzbDav.Arr.Client;
using NzbDav.Arr.Resources;

namespace NzbDav.Arr.Repair;

/// <summary>
/// Makes one instance search for a replacement of an imported file, without deleting anything. Marks the grab as failed (its release is
/// blocklisted and a search follows), or searches for the episodes, the film or the album. Thread-safe.
/// </summary>
/// <param name="client">The instance; not disposed.</param>
/// <param name="repair">Finds the file.</param>
/// <param name="links">Reads the library's links.</param>
/// <param name="gate">Shared by everything that searches on this instance.</param>
public sealed class ArrReplacement(ArrClient client, ArrRepair repair, ILinkTargets links, SearchGate gate)
{
    /// <summary>Starts the search, if the file belongs to this instance.</summary>
    /// <param name="request">The file.</param>
    /// <param name="instance">The instance's name, for <see cref="ReplacementSearch.Instance"/>.</param>
    /// <param name="cancellationToken">Ends the operation between two calls or during one.</param>
    public async Task<(RepairOutcome Outcome, ReplacementSearch? Search)> SearchAsync(
        RepairRequest request, string instance, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        var (step, outcome, owner) = await repair.FindPlanAsync(request, cancellationToken);
        if (step is null)
            return (outcome!, null);
        if (!gate.TryEnter(out var wait))
            return (new(RepairStatus.Later, "Another search began less than a minute ago.") { RetryAfter = wait }, null);
        var search = true;
        if (step.GrabId is { } grab)
        {
            var config = await client.DownloadClientConfigAsync(cancellationToken);
            var unmarked = await client.MarkFailedAsync(grab, cancellationToken);
            if (unmarked is { Kind: ArrErrorKind.Unreachable or ArrErrorKind.TimedOut or ArrErrorKind.Unauthorized })
                return (new(RepairStatus.Failed, unmarked.Message) { Error = unmarked }, null);
            search = unmarked is not null || config is not { Succeeded: true, Value.AutoRedownloadFailed: true };
        }

        if (search && await client.SearchAsync(step.SearchIds, cancellationToken) is { } unsearched)
            return (new(RepairStatus.Failed, unsearched.Message) { Error = unsearched }, null);
        return (new(RepairStatus.Searching, "A search is under way; the file stays until its replacement is there."),
            new ReplacementSearch(instance, step.FileId, owner, step.SearchIds));
    }

    /// <summary>Checks the result of a search.</summary>
    public async Task<ReplacementCheck> CheckAsync(ReplacementSearch search, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(search);
        var files = await client.FilesAsync(search.OwnerId, cancellationToken);
        if (!files.Succeeded)
            return files.Error.Kind == ArrErrorKind.NotFound ? Nothing("it is not in the library any more") : Failed(files.Error);
        var left = search.SearchIds.ToHashSet();
        var found = new List<MediaFile>();
        foreach (var file in files.Value.Where(file => file.Id > search.FileId))
        {
            if (client.Application == ArrApplication.Sonarr)
            {
                var episodes = await client.EpisodesOfFileAsync(file.Id, cancellationToken);
                if (!episodes.Succeeded)
                    return Failed(episodes.Error);
                int[] covered = [.. episodes.Value.Select(episode => episode.Id).Where(left.Contains)];
                left.ExceptWith(covered);
                if (covered.Length > 0)
                    found.Add(file);
            }
            else if ((file.MovieId ?? file.AlbumId) is { } id && search.SearchIds.Contains(id))
            {
                left.Remove(id);
                found.Add(file);
            }
        }

        return found.Count == 0 || left.Count > 0
            ? new(new(RepairStatus.Searching, $"{client.Options} has no other file yet."), [])
            : new(new(RepairStatus.Done, $"{client.Options} imported another file."), [.. found.Select(file => links.TargetOf(file.Path))]);
    }

    private ReplacementCheck Nothing(string why) =>
        new(new(RepairStatus.NotFound, $"{client.Options} looks for no replacement: {why}."), []);

    private static ReplacementCheck Failed(ArrError error) => new(new(RepairStatus.Failed, error.Message) { Error = error }, []);
}

/// <summary>A search for a replacement of a file, which stays in place until then.</summary>
/// <param name="Instance">The instance's name.</param>
/// <param name="FileId">The application's id of the old file.</param>
/// <param name="OwnerId">The series, film or artist.</param>
/// <param name="SearchIds">The episodes, films or albums that were searched for.</param>
public sealed record ReplacementSearch(string Instance, int FileId, int OwnerId, IReadOnlyList<int> SearchIds);

/// <summary>The files that an application has in place of an old one.</summary>
/// <param name="Outcome">Outcome of the check: <see cref="RepairStatus.Done"/> with targets; without targets
/// <see cref="RepairStatus.Searching"/>, <see cref="RepairStatus.NotFound"/> or <see cref="RepairStatus.Failed"/>.</param>
/// <param name="Targets">Link targets of the new files; null for a file that is not a link or cannot be read from here.</param>
public sealed record ReplacementCheck(RepairOutcome Outcome, IReadOnlyList<string?> Targets);
