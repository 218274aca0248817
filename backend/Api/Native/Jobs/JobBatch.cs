using System.Globalization;
using NzbDav.Api.Jobs;
using NzbDav.Api.Native.Replies;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Jobs;
using NzbDav.Import.Names;

namespace NzbDav.Api.Native.Jobs;

/// <summary>Runs an action on many jobs. Thread-safe.</summary>
internal sealed class JobBatch(JobActions actions, JobList list, QueueOrder order, SabCategories categories)
{
    /// <summary>Most ids in one call. A filter may match more.</summary>
    public const int MostIds = 1_000;

    private const string None = "There is no such job.";
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
        { Action: JobsActionName.Rename } when body.Ids is not { Count: 1 } || SafeName.Of(body.Name ?? "") != body.Name =>
            "Rename takes one id and a name that is valid for a folder.",
        { Action: JobsActionName.Move, Position: null or < -1 } => "position must be 0 or more, or -1 for the end.",
        _ => null,
    };

    /// <summary>Runs the action. Once started, it is not cancelled.</summary>
    /// <returns>Null if the category's name cannot be a folder name.</returns>
    public async Task<ActionAnswerBody?> RunAsync(JobsActionBody body)
    {
        var category = body.Category;
        if (body.Action == JobsActionName.Category
            && (category = await categories.ChooseAsync(body.Category, CancellationToken.None)) is null)
            return null;
        var refused = new List<RefusedBody>();
        var ids = await IdsAsync(body, refused);
        var done = 0;
        if (body.Action == JobsActionName.Move)
        {
            var moved = (await order.MoveAsync(ids, body.Position!.Value, CancellationToken.None)).ToHashSet();
            refused.AddRange(
                ids.Where(id => !moved.Contains(id)).Select(id => new RefusedBody(JobView.Text(id), "It is not in the queue.")));
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

        return new ActionAnswerBody(done, refused);
    }

    private async ValueTask<IReadOnlyList<long>> IdsAsync(JobsActionBody body, List<RefusedBody> refused)
    {
        if (body.Filter is { } filter)
        {
            var wanted = new JobFilter
            {
                Standings = filter.States,
                Kinds = filter.Kind is { } kind ? [kind] : null,
                Categories = filter.Category is { } category ? [category] : null,
                Search = string.IsNullOrEmpty(filter.Search) ? null : filter.Search
            };
            return await list.FindAsync(wanted, new JobPaging(), CancellationToken.None);
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
        if (body.Action == JobsActionName.Delete)
        {
            var how = new JobDeletion(body.WithFiles == true ? JobFiles.Delete : JobFiles.Keep);
            return await actions.DeleteAsync(id, how, cancellationToken);
        }

        var (job, refusal) = await actions.FindAsync(id, cancellationToken);
        if (job is null)
            return refusal;
        return body.Action switch
        {
            JobsActionName.Pause => await actions.PauseAsync(job, cancellationToken),
            JobsActionName.Resume => await actions.ResumeAsync(job, cancellationToken),
            JobsActionName.Retry => await actions.RetryAsync(job, cancellationToken),
            JobsActionName.Priority => await actions.SetPriorityAsync(job, body.Priority!.Value, cancellationToken),
            JobsActionName.Category => await actions.SetCategoryAsync(job, category!, cancellationToken),
            JobsActionName.Rename => await actions.RenameAsync(job, body.Name!, password: null, cancellationToken),
            _ => None,
        };
    }
}

/// <summary>An action on jobs: those with the given ids, or all that match a filter.</summary>
/// <param name="Action">The action.</param>
/// <param name="Ids">Ids of the jobs, at most 1,000; null with a filter.</param>
/// <param name="Filter">Selects the jobs; null with ids.</param>
/// <param name="Priority">For priority: the new priority, -1 to 2.</param>
/// <param name="Category">For category: the new category.</param>
/// <param name="Name">For rename: the new name.</param>
/// <param name="WithFiles">For delete: also delete the files that the jobs published.</param>
/// <param name="Position">For move: 0 is first, -1 last. Several jobs keep their relative order.</param>
internal sealed record JobsActionBody(
    JobsActionName? Action,
    IReadOnlyList<string?>? Ids = null,
    JobsFilterBody? Filter = null,
    int? Priority = null,
    string? Category = null,
    string? Name = null,
    bool? WithFiles = null,
    int? Position = null);

/// <summary>An action on jobs.</summary>
internal enum JobsActionName
{
    /// <summary>Pause.</summary>
    Pause,

    /// <summary>Resume.</summary>
    Resume,

    /// <summary>Retry a failed job.</summary>
    Retry,

    /// <summary>Delete the entry.</summary>
    Delete,

    /// <summary>Change the priority.</summary>
    Priority,

    /// <summary>Change the category of a job that is not published yet.</summary>
    Category,

    /// <summary>Move in the queue.</summary>
    Move,

    /// <summary>Rename a job that is not published yet.</summary>
    Rename,
}

/// <summary>Selects jobs.</summary>
/// <param name="States">Jobs in these states; null: in any.</param>
/// <param name="Kind">Jobs added as this; null: as anything.</param>
/// <param name="Category">Jobs of this category; null: of any.</param>
/// <param name="Search">Jobs with this text in their names; null: with any name.</param>
internal sealed record JobsFilterBody(
    IReadOnlyList<JobStatus>? States = null, JobKind? Kind = null, string? Category = null, string? Search = null);
