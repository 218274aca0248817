using System.Globalization;
using NzbDav.Access.Keys;
using NzbDav.Api.Jobs;
using NzbDav.Api.Sab.Answers;
using NzbDav.Api.Sab.Calls;
using NzbDav.Api.Sab.Jobs;
using NzbDav.Api.Sab.Traffic;
using NzbDav.Api.Sab.Warnings;
using NzbDav.Catalog.Jobs;
using NzbDav.Import.Names;
using NzbDav.Import.Queue;

namespace NzbDav.Api.Sab.Queue;

/// <summary><c>mode=queue</c>: the list, and the actions on its jobs, chosen by <c>name</c>.</summary>
internal sealed class QueueMode(
    SabJobs view, JobStore jobs, JobActions actions, SabCategories categories, QueueOrder order, QueueSwitch pause, SpeedLimitKeeper line,
    ISabTraffic traffic, SpeedMeter speed, Disks disks, WarningLog warnings, TimeProvider time) : ISabMode
{
    /// <summary>Jobs in the history are not deleted from here.</summary>
    private static readonly JobDeletion FromQueue = new(JobFiles.Keep, Archives: true, JobActions.IsOpen);

    public IReadOnlyList<string> Names => ["queue"];

    public ApiRights Needs(SabCall call) => call.Text("name") is null ? ApiRights.Read : ApiRights.Change;

    public async ValueTask<object> RunAsync(SabCall call, CancellationToken cancellationToken)
    {
        switch (call.Text("name"))
        {
            case null:
                return new QueueAnswer(await ListAsync(call, cancellationToken));
            case "delete":
                return await DeleteAsync(call, cancellationToken);
            case "purge":
                var purged = await MatchingAsync(call.Text("search"), cancellationToken);
                return await RemoveAsync([.. purged.Select(slot => slot.Id)], isList: false, cancellationToken);
            case "pause":
                return await ForEachAsync(call, job => actions.PauseAsync(job, cancellationToken), cancellationToken);
            case "resume":
                return await ForEachAsync(call, job => actions.ResumeAsync(job, cancellationToken), cancellationToken);
            case "priority":
                return await SetPriorityAsync(call, cancellationToken);
            case "rename":
                return await RenameAsync(call, cancellationToken);
            case "sort":
                return await SortAsync(call, cancellationToken);
            case "change_complete_action":
                // Clients cannot shut the server down.
                return new StatusAnswer(true);
            default:
                return ErrorAnswer.NotImplemented;
        }
    }

    private async Task<QueueBody> ListAsync(SabCall call, CancellationToken cancellationToken)
    {
        var all = await view.QueueAsync(cancellationToken);
        var asked = call.Categories();
        var matching = Filter(all, await categories.MatchAsync(asked, cancellationToken), call);
        var (start, limit) = (Math.Max(0, call.Number("start")), Math.Max(0, call.Number("limit")));
        var until = await pause.PausedUntilAsync(cancellationToken);
        var paused = until is not null;
        var rate = speed.Rate;
        var size = all.Sum(slot => slot.TotalBytes);
        var left = all.Sum(slot => slot.LeftBytes);
        var (free, total) = disks.Space;
        var limitBytes = traffic.SpeedLimit;
        return new QueueBody
        {
            Paused = paused,
            PauseInt = until is { } end && end != DateTimeOffset.MaxValue ? Minutes(end - time.GetUtcNow()) : "0",
            PausedAll = false,
            Status = paused ? "Paused" : all.Exists(slot => slot.Status != "Paused") ? "Downloading" : "Idle",
            Speed = SabText.Speed(rate),
            Kbpersec = SabText.Kilobytes(rate),
            Speedlimit = line.Percent,
            SpeedlimitAbs = limitBytes is { } bytes ? SabText.Number(bytes) : "",
            Size = SabText.Size(size),
            Sizeleft = SabText.Size(left),
            Mb = SabText.Megabytes(size),
            Mbleft = SabText.Megabytes(left),
            Timeleft = SabText.TimeLeft(all.Select(slot => slot.Left).DefaultIfEmpty().Max()),
            Noofslots = matching.Count,
            NoofslotsTotal = all.Count,
            Start = start,
            Limit = limit,
            Finish = (int)Math.Min(int.MaxValue, (long)start + limit),
            Diskspace1 = SabText.Gigabytes(free),
            Diskspace2 = SabText.Gigabytes(free),
            Diskspacetotal1 = SabText.Gigabytes(total),
            Diskspacetotal2 = SabText.Gigabytes(total),
            Diskspace1Norm = SabText.Size(free),
            Diskspace2Norm = SabText.Size(free),
            HaveWarnings = SabText.Number(warnings.Count),
            CacheArt = "0",
            CacheSize = SabText.Size(traffic.Memory.Used),
            Slots = [.. matching.Skip(start).Take(limit == 0 ? int.MaxValue : limit)
                .Select(slot => slot with { Cat = categories.Shown(slot.Cat, asked), Password = call.SeesSecrets ? slot.Password : "" })],
        };
    }

    private static string Minutes(TimeSpan left) => FormattableString.Invariant($"{(int)left.TotalMinutes}:{left.Seconds:00}");

    private static List<QueueSlot> Filter(List<QueueSlot> slots, string[]? categories, SabCall call)
    {
        var search = call.Text("search");
        var ids = call.List("nzo_ids");
        var priorities = call.List("priority")?.Select(PriorityOf).ToArray();
        var states = call.List("status");
        return slots.FindAll(slot =>
            (search is null || slot.Filename.Contains(search, StringComparison.OrdinalIgnoreCase)) &&
            (categories is null || categories.Contains(slot.Cat, StringComparer.Ordinal)) &&
            (ids is null || ids.Contains(slot.NzoId, StringComparer.Ordinal)) &&
            (priorities is null || priorities.Contains(slot.Priority, StringComparer.OrdinalIgnoreCase)) &&
            (states is null || states.Contains(slot.Status, StringComparer.OrdinalIgnoreCase)));
    }

    /// <summary>SABnzbd's clients filter by number; the displayed name is accepted too.</summary>
    private static string PriorityOf(string asked) =>
        int.TryParse(asked, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number)
            ? SabText.Priority(SabPriority.Of(number).Priority) : asked;

    private async Task<List<QueueSlot>> MatchingAsync(string? search, CancellationToken cancellationToken)
    {
        var all = await view.QueueAsync(cancellationToken);
        return search is null ? all : all.FindAll(slot => slot.Filename.Contains(search, StringComparison.OrdinalIgnoreCase));
    }

    private async Task<object> DeleteAsync(SabCall call, CancellationToken cancellationToken)
    {
        if (call.Text("value") is not { } value)
            return ErrorAnswer.OneParameter;
        if (value != "all")
            return await RemoveAsync((await call.IdsAsync("value", jobs, cancellationToken))!, isList: true, cancellationToken);
        var all = await MatchingAsync(call.Text("search"), cancellationToken);
        return await RemoveAsync([.. all.Select(slot => slot.Id)], isList: false, cancellationToken);
    }

    /// <param name="ids">Jobs.</param>
    /// <param name="isList">True if the jobs were named: then it fails if none of them exists. Emptying an empty queue succeeds.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    private async Task<object> RemoveAsync(List<long> ids, bool isList, CancellationToken cancellationToken)
    {
        var gone = new List<string>();
        foreach (var id in ids)
        {
            var job = await jobs.GetAsync(id, cancellationToken);
            if (await actions.DeleteAsync(id, FromQueue, cancellationToken) is null)
                gone.Add(job is null ? NzoId.Of(id) : NzoId.Of(job));
        }

        return new JobsAnswer(gone, gone.Count > 0 || (ids.Count == 0 && !isList));
    }

    private async Task<object> ForEachAsync(SabCall call, Func<CatalogJob, Task<string?>> act, CancellationToken cancellationToken)
    {
        if (await call.IdsAsync("value", jobs, cancellationToken) is not { } ids)
            return ErrorAnswer.OneParameter;
        var done = new List<string>();
        foreach (var id in ids)
        {
            if (await jobs.GetAsync(id, cancellationToken) is { } job && await act(job) is null)
                done.Add(NzoId.Of(job));
        }

        return new JobsAnswer(done);
    }

    private async Task<object> SetPriorityAsync(SabCall call, CancellationToken cancellationToken)
    {
        if (await call.IdsAsync("value", jobs, cancellationToken) is not { } ids || call.Text("value2") is null)
            return ErrorAnswer.TwoParameters;
        if (call.Number("value2", int.MinValue) is var priority && priority == int.MinValue)
            return ErrorAnswer.Integer;
        var known = false;
        foreach (var id in ids)
        {
            known |= await jobs.GetAsync(id, cancellationToken) is { } job
                && await SetPriorityAsync(job, priority, cancellationToken) is null;
        }


        if (!known)
            return new PositionAnswer(-1);
        var queue = await view.QueueAsync(cancellationToken);
        return new PositionAnswer(queue.FindIndex(slot => slot.Id == ids[0]));
    }

    private Task<string?> SetPriorityAsync(CatalogJob job, int number, CancellationToken cancellationToken)
    {
        var (priority, paused) = SabPriority.Of(number);
        return paused ? actions.PauseAsync(job, cancellationToken) : actions.SetPriorityAsync(job, priority, cancellationToken);
    }

    private async Task<object> RenameAsync(SabCall call, CancellationToken cancellationToken)
    {
        if (await call.IdsAsync("value", jobs, cancellationToken) is not { } ids || call.Text("value2") is not { } name)
            return ErrorAnswer.TwoParameters;
        return ids is [var id, ..] && SafeName.Of(name) is { } safe && await jobs.GetAsync(id, cancellationToken) is { } job
            && await actions.RenameAsync(job, safe, call.Text("value3"), cancellationToken) is null
                ? new StatusAnswer(true)
                : ErrorAnswer.NoItem;
    }

    /// <summary>Sorts the waiting jobs of each priority.</summary>
    private async Task<object> SortAsync(SabCall call, CancellationToken cancellationToken)
    {
        var slots = await view.QueueAsync(cancellationToken);
        Comparison<QueueSlot>? compare = call.Text("sort") switch
        {
            "name" => (left, right) => string.Compare(left.Filename, right.Filename, StringComparison.OrdinalIgnoreCase),
            "size" => (left, right) => left.TotalBytes.CompareTo(right.TotalBytes),
            "avg_age" => (left, right) => left.TimeAdded.CompareTo(right.TimeAdded),
            _ => null,
        };
        if (compare is null)
            return ErrorAnswer.TwoParameters;
        var down = call.Text("dir") == "desc" ? -1 : 1;
        var sorted = new List<long>();
        foreach (var group in slots.GroupBy(slot => slot.Priority, StringComparer.Ordinal))
        {
            var members = group.ToList();
            members.Sort((left, right) => down * compare(left, right));
            sorted.AddRange(members.Select(slot => slot.Id));
        }

        await order.ArrangeAsync(sorted, cancellationToken);
        return new StatusAnswer(true);
    }
}
