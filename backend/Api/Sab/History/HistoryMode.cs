using NzbDav.Access.Keys;
using NzbDav.Api.Jobs;
using NzbDav.Api.Sab.Answers;
using NzbDav.Api.Sab.Calls;
using NzbDav.Api.Sab.Jobs;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Api.Sab.History;

/// <summary><c>mode=history</c>: the list, and the actions on its entries, chosen by <c>name</c>.</summary>
internal sealed class HistoryMode(
    SabJobs view, JobStore jobs, SabCategories categories, JobHistory history, JobActions actions, HistoryClock clock) : ISabMode
{
    /// <summary>SABnzbd's default number of entries.</summary>
    private const int DefaultLimit = 10;

    public IReadOnlyList<string> Names => ["history"];

    public ApiRights Needs(SabCall call) => call.Text("name") is null ? ApiRights.Read : ApiRights.Change;

    public async ValueTask<object> RunAsync(SabCall call, CancellationToken cancellationToken) => call.Text("name") switch
    {
        null => await ListAsync(call, cancellationToken),
        "delete" => await DeleteAsync(call, cancellationToken),
        "mark_as_completed" => await ArchiveAsync(call, cancellationToken),
        _ => ErrorAnswer.NotImplemented,
    };

    private async Task<object> ListAsync(SabCall call, CancellationToken cancellationToken)
    {
        var now = clock.Now;
        var archived = call.Flag("archive");
        var asked = call.Categories();
        var stored = await categories.MatchAsync(asked, cancellationToken);
        var late = archived ? [] : Matching(await view.LateAsync(cancellationToken), stored, call);

        // A running job progresses without touching the history's clock.
        if (late.Count == 0 && call.Text("last_history_update") is { } last && last == SabText.Number(now))
            return new HistoryAnswer(false);
        var limit = call.Number("limit") is > 0 and var most ? most : DefaultLimit;
        var start = Math.Max(0, call.Number("start"));
        var shown = late.Skip(start).Take(limit).ToList();
        var wanted = await call.IdsAsync("nzo_ids", jobs, cancellationToken);
        var (entries, total) = await history.ListAsync(
            Filter(call, wanted, stored, archived), Math.Max(0, start - late.Count), limit - shown.Count, cancellationToken);
        var totals = await history.TotalsAsync(cancellationToken);
        return new HistoryAnswer(new HistoryBody
        {
            Slots = [.. shown.Concat(entries.Select(view.Slot)).Select(
                slot => (call.SeesSecrets ? slot : slot.WithoutSecrets()) with { Category = categories.Shown(slot.Category, asked) })],
            Noofslots = total + late.Count,
            Ppslots = late.Count,
            DaySize = SabText.Size(totals.Day),
            WeekSize = SabText.Size(totals.Week),
            MonthSize = SabText.Size(totals.Month),
            TotalSize = SabText.Size(totals.Total),
            LastHistoryUpdate = now,
        });
    }

    private static JobFilter Filter(SabCall call, List<long>? ids, string[]? categories, bool archived)
    {
        var states = call.Flag("failed_only") ? ["Failed"] : call.List("status");
        var (completed, failed) = (Has(states, "Completed"), Has(states, "Failed"));
        return new JobFilter
        {
            Archived = archived,
            Standings = (completed, failed) switch
            {
                (true, true) => JobFilter.Ended,
                (true, false) => [JobStatus.Completed],
                (false, true) => [JobStatus.Failed],
                _ => [],
            },
            Categories = categories,
            Search = call.Text("search"),
            Ids = ids,
        };
    }

    private static bool Has(string[]? states, string state) => states is null || states.Contains(state, StringComparer.OrdinalIgnoreCase);

    private static List<HistorySlot> Matching(List<HistorySlot> slots, string[]? categories, SabCall call)
    {
        if (call.Flag("failed_only"))
            return [];
        var (search, ids, states) = (call.Text("search"), call.List("nzo_ids"), call.List("status"));
        return slots.FindAll(slot =>
            (search is null || slot.Name.Contains(search, StringComparison.OrdinalIgnoreCase)) &&
            (categories is null || categories.Contains(slot.Category, StringComparer.Ordinal)) &&
            (ids is null || ids.Contains(slot.NzoId, StringComparer.Ordinal)) &&
            (states is null || states.Contains(slot.Status, StringComparer.OrdinalIgnoreCase)));
    }

    /// <summary>Removes entries: archives them, unless the caller wants them deleted.</summary>
    private async Task<object> DeleteAsync(SabCall call, CancellationToken cancellationToken)
    {
        if (call.Text("value") is not { } value)
            return ErrorAnswer.OneParameter;
        var ids = value switch
        {
            "all" => await IdsAsync(JobFilter.Ended, call, cancellationToken),
            "failed" => await IdsAsync([JobStatus.Failed], call, cancellationToken),
            "completed" => await IdsAsync([JobStatus.Completed], call, cancellationToken),
            _ => (await call.IdsAsync("value", jobs, cancellationToken))!,
        };
        var files = call.Flag("del_files") ? JobFiles.Abandon : JobFiles.Keep;
        var how = new JobDeletion(files, Archives: call.Flag("archive", otherwise: true), IsShown);
        foreach (var id in ids)
            await actions.DeleteAsync(id, how, cancellationToken);
        return new StatusAnswer(true);
    }

    /// <summary>
    /// A job that the queue shows is not deleted from here. One that the history shows before it has ended is deleted for good.
    /// </summary>
    private static bool IsShown(CatalogJob job) => !JobActions.IsOpen(job) || SabJobs.IsLate(job);

    private async Task<object> ArchiveAsync(SabCall call, CancellationToken cancellationToken)
    {
        if (await call.IdsAsync("value", jobs, cancellationToken) is not { } ids)
            return ErrorAnswer.OneParameter;
        await actions.ArchiveAsync(ids, cancellationToken);
        return new StatusAnswer(true);
    }

    private async Task<List<long>> IdsAsync(IReadOnlyCollection<JobStatus> standings, SabCall call, CancellationToken cancellationToken)
    {
        var (entries, _) = await history.ListAsync(
            new JobFilter { Standings = standings, Search = call.Text("search") }, 0, int.MaxValue, cancellationToken);
        return [.. entries.Select(entry => entry.Job.Id)];
    }
}

/// <summary>The answer of <c>mode=history</c>.</summary>
/// <param name="History">A <see cref="HistoryBody"/>; false if nothing changed since the caller's last request.</param>
/// <param name="Status">SABnzbd does not send it, but nzbdav does, and programs written for nzbdav take an answer without it for a
/// failure.</param>
internal sealed record HistoryAnswer(object History, bool Status = true);

/// <summary>The history, latest first.</summary>
internal sealed record HistoryBody
{
    public required IReadOnlyList<HistorySlot> Slots { get; init; }

    public required int Noofslots { get; init; }

    public required int Ppslots { get; init; }

    public required string DaySize { get; init; }

    public required string WeekSize { get; init; }

    public required string MonthSize { get; init; }

    public required string TotalSize { get; init; }

    public required long LastHistoryUpdate { get; init; }

    public string Version { get; init; } = SabOptions.Version;
}
