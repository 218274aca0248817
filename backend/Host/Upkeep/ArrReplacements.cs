using System.Text.Json;
using NzbDav.Arr.Client;
using NzbDav.Arr.Repair;
using NzbDav.Catalog.Health;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Moving;
using NzbDav.Catalog.Tree;
using NzbDav.Host.Arrs;
using NzbDav.Library.Health;
using NzbDav.Library.Holding;

namespace NzbDav.Host.Upkeep;

/// <summary>
/// Asks the configured *arrs for replacements. A search is stored as JSON: the instance, the file and what was searched for.
/// </summary>
internal sealed class ArrReplacements(
    ArrInstances arrs, RepairRequests requests, JobHistory history, HealthStore posts, TreeStore tree, AliasStore aliases) : IReplacements
{
    public async Task<ReplacementAnswer> SearchAsync(HealthPost post, IReadOnlyList<CatalogItem> files, CancellationToken cancellationToken)
    {
        var instances = arrs.All.Where(instance => instance.Settings.Options.Application != ArrApplication.Prowlarr)
            .OrderByDescending(instance => instance.Settings.Category.Equals(post.Category, StringComparison.OrdinalIgnoreCase)).ToArray();
        if (instances.Length == 0)
            return new ReplacementAnswer(
                ReplacementState.None, "It cannot be repaired, and no Sonarr, Radarr or Lidarr is configured that could replace it.");
        var job = await history.FindByItemAsync(post.ItemId, cancellationToken);

        // One search per post: an *arr allows one a minute, and searches for a whole pack once its grab is marked as failed.
        var file = files[0];
        var request = await requests.MakeAsync(file, job, cancellationToken);
        var reason = "No *arr has the file.";
        foreach (var instance in instances)
        {
            try
            {
                var (outcome, search) = await instance.Replacement.SearchAsync(request, instance.Settings.Name, cancellationToken);
                if (search is not null)
                    return new ReplacementAnswer(
                        ReplacementState.Searching, $"{instance.Settings.Name} searches for a replacement of {file.Name}.")
                    {
                        Search =
                        JsonSerializer.Serialize(search, UpkeepJson.Default.ReplacementSearch)
                    };
                if (outcome.Status is RepairStatus.Later or RepairStatus.Failed)
                    return new ReplacementAnswer(ReplacementState.Later, $"{instance.Settings.Name}: {outcome.Message}");
                reason = outcome.Message;
            }
            catch (ObjectDisposedException)
            {
                return new ReplacementAnswer(ReplacementState.Later, $"{instance.Settings.Name} has different settings now.");
            }
        }

        return new ReplacementAnswer(ReplacementState.None, $"It cannot be repaired. {reason}");
    }

    public async Task<ReplacementAnswer> CheckAsync(HealthPost post, string search, CancellationToken cancellationToken)
    {
        if (Read(search) is not { } asked
            || arrs.All.FirstOrDefault(instance => instance.Settings.Name == asked.Instance) is not { } instance)
            return new ReplacementAnswer(ReplacementState.None, "The *arr that was asked for a replacement is no longer configured.");
        try
        {
            var look = await instance.Replacement.CheckAsync(asked, cancellationToken);
            if (look.Outcome.Status != RepairStatus.Done)
                return new ReplacementAnswer(look.Outcome.Status == RepairStatus.NotFound
                    ? ReplacementState.None : ReplacementState.Searching, look.Outcome.Message);
            var ids = new List<long>();
            foreach (var target in look.Targets)
            {
                if (target is null || await LinkedFile.FindAsync(tree, aliases, target, cancellationToken) is not { } id)
                    continue;

                // Files of an album that were imported after the replaced one look like newer files.
                if ((await posts.FindByFileAsync(id, cancellationToken))?.ItemId == post.ItemId)
                    return new ReplacementAnswer(ReplacementState.Searching, $"{asked.Instance} has no other file yet.");
                ids.Add(id);
            }

            return ids.Count == look.Targets.Count
                ? new ReplacementAnswer(ReplacementState.Imported, $"{asked.Instance} imported a replacement.") { ItemIds = ids }
                : new ReplacementAnswer(
                    ReplacementState.None,
                    $"{asked.Instance} has another file, which is not one of this server's or cannot be read from here. The old post " +
                    $"stays.");
        }
        catch (ObjectDisposedException)
        {
            return new ReplacementAnswer(ReplacementState.Searching, $"{asked.Instance} has different settings now.");
        }
    }

    private static ReplacementSearch? Read(string search)
    {
        try
        {
            return JsonSerializer.Deserialize(search, UpkeepJson.Default.ReplacementSearch);
        }
        catch (JsonException)
        {
            return null;
        }
    }
}
