using System.Globalization;
using NzbDav.Api.Native.Replies;
using NzbDav.Api.Sab.Adding;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Links;
using NzbDav.Import.Names;

namespace NzbDav.Api.Native.Jobs;

/// <summary>Runs an action on many jobs. Thread-safe.</summary>
internal sealed class JobActions(JobStore jobs, JobList list, QueueOrder order, HoldStore holds, UrlGrabs grabs, SabCategories categories)
{
    /// <summary>Most ids in one call. A filter may match more.</summary>
    public const int MostIds = 1_000;

    private const string None = "There is no such job.";
    private const string HasEnded = "It has ended.";
    private const string IsFetched = "It is still being fetched.";
    private const string IsPublished = "It is published already: rename or move its folder.";

    /// <summary>Jobs changed at the same time: the catalog combines their writes into one transaction.</summary>
    private const int AtATime = 64;

    /// <summary>What is wrong with the request itself; null if it can be run.</summary>
    public static string? FaultOf(JobsActionBody body) => body switch
    {
        { Action: null } => "action is missing.",
        { Ids: null, Filter: null } or { Ids: not null, Filter: not null } => "Give ids or a filter, not both.",
        { Ids.Count: > MostIds } => $"ids has more than {MostIds}: use a filter.",
        { Action: JobsActionName.Priority, Priority: null or < JobPriority.Low or > JobPriority.Force } => "priority must be -1 to 2.",
        { Action: JobsActionName.Category, Category: null or "" } => "category is missing.",
        { Action: JobsActionName.Rename } when body.Ids is not { Count: 1 } || SafeName.Of(body.Name ?? "") != body.Name => "Rename takes one id and a name that is valid for a folder.",
        { Action: JobsActionName.Move, Position: null or < -1 } => "position must be 0 or more, or -1 for the end.",
        _ => null,
    };

    /// <summary>Runs the action. Once started, it is not cancelled.</summary>
    /// <returns>Null if the category's name cannot be a folder name.</returns>
    public async Task<ActionAnswerBody?> RunAsync(JobsActionBody body)
    {
        var category = body.Category;
        if (body.Action == JobsActionName.Category && (category = await categories.ChooseAsync(body.Category, CancellationToken.None)) is null)
            return null;
        var refused = new List<RefusedBody>();
        var ids = await IdsAsync(body, refused);
        var done = 0;
        if (body.Action == JobsActionName.Move)
        {
            var moved = (await order.MoveAsync(ids, body.Position!.Value, CancellationToken.None)).ToHashSet();
            refused.AddRange(ids.Where(id => !moved.Contains(id)).Select(id => new RefusedBody(JobView.Text(id), "It is not in the queue.")));
            return new ActionAnswerBody(moved.Count, refused);
        }

        foreach (var part in ids.Chunk(AtATime))
        {
            var reasons = await Task.WhenAll(part.Select(id => ActAsync(id, body, category)));
            for (var i = 0; i < part.Length; i++)
            {
                if (reasons[i] is { } reason)
                    refused.Add(new RefusedBody(JobView.Text(part[i]), reason));
                else
                    done++;
            }
        }

        if (body is { Action: JobsActionName.Delete, WithFiles: true } && done > 0)
            await holds.LoadAsync(CancellationToken.None);
        return new ActionAnswerBody(done, refused);
    }

    private async ValueTask<IReadOnlyList<long>> IdsAsync(JobsActionBody body, List<RefusedBody> refused)
    {
        if (body.Filter is { } filter)
        {
            var wanted = new JobListFilter { Standings = filter.States, Kind = filter.Kind, Category = filter.Category, Search = string.IsNullOrEmpty(filter.Search) ? null : filter.Search };
            return await list.FindAsync(wanted, CancellationToken.None);
        }

        var ids = new List<long>();
        foreach (var text in body.Ids!.Distinct(StringComparer.Ordinal))
        {
            if (long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var id))
                ids.Add(id);
            else
                refused.Add(new RefusedBody(text ?? "", None));
        }

        return ids;
    }

    /// <returns>Why it was refused; null if it was done.</returns>
    private async Task<string?> ActAsync(long id, JobsActionBody body, string? category)
    {
        var cancellationToken = CancellationToken.None;
        if (await jobs.GetAsync(id, cancellationToken) is not { } job)
        {
            if (body.Action == JobsActionName.Delete && await grabs.RemoveAsync(id, cancellationToken))
                return null;
            return grabs.Pending.Any(grab => grab.Id == id) ? IsFetched : None;
        }

        var isOpen = job.State is JobState.Queued or JobState.Running;
        return body.Action switch
        {
            JobsActionName.Pause => job.Paused || (isOpen && await jobs.PauseAsync(id, cancellationToken)) ? null : HasEnded,
            JobsActionName.Resume => !isOpen ? HasEnded : !job.Paused || await jobs.ResumeAsync(id, cancellationToken) ? null : HasEnded,
            JobsActionName.Retry => await RetryAsync(job),
            JobsActionName.Delete => await DeleteAsync(job, body.WithFiles ?? false),
            JobsActionName.Priority => isOpen && await jobs.SetPriorityAsync(id, body.Priority!.Value, cancellationToken) ? null : HasEnded,
            JobsActionName.Category => await jobs.SetCategoryAsync(id, category!, cancellationToken) ? null : IsPublished,
            JobsActionName.Rename => await jobs.RenameAsync(id, body.Name!, password: null, cancellationToken) ? null : IsPublished,
            _ => None,
        };
    }

    private async Task<string?> RetryAsync(CatalogJob job)
    {
        if (job.State != JobState.Failed)
            return "It has not failed.";
        if (job.Nzb is not null)
            return await jobs.RetryAsync(job.Id, CancellationToken.None) ? null : "It has not failed.";
        if (job.Url is not { } url)
            return "Its source is no longer available: add it again.";

        // The file was never fetched, so the retry is a new job.
        await grabs.AddAsync(
            new UrlGrab { Id = jobs.NewId(), Url = url, Name = job.Name, Category = job.Category, Priority = job.Priority, Password = job.Password, Added = job.Created, ByPerson = true }, CancellationToken.None);
        await jobs.DeleteAsync(job.Id, withContent: false, CancellationToken.None);
        return null;
    }

    private async Task<string?> DeleteAsync(CatalogJob job, bool withFiles)
    {
        if (withFiles && job.ItemId is { } item && (await holds.JudgeAsync(item, CancellationToken.None)).Holder is { } holder)
            return $"A library has a link to it: {holder}. Remove that first, or delete the folder under Files.";
        return await jobs.DeleteAsync(job.Id, withFiles, CancellationToken.None) ? null : None;
    }
}
