using System.Globalization;
using NzbDav.Access.Keys;
using NzbDav.Api.Jobs;
using NzbDav.Api.Sab.Answers;
using NzbDav.Api.Sab.Calls;
using NzbDav.Api.Sab.Jobs;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Api.Sab.Queue;

/// <summary><c>mode=change_cat</c>, and the modes for scripts and unpacking, which are accepted without effect.</summary>
internal sealed class ChangeMode(JobStore jobs, JobActions actions, SabCategories categories) : ISabMode
{
    public IReadOnlyList<string> Names => ["change_cat", "change_script", "change_opts"];

    public ApiRights Needs(SabCall call) => ApiRights.Change;

    public async ValueTask<object> RunAsync(SabCall call, CancellationToken cancellationToken)
    {
        if (await call.IdsAsync("value", jobs, cancellationToken) is not { } ids || call.Text("value2") is not { } wanted)
            return ErrorAnswer.TwoParameters;
        if (call.Text("mode") != "change_cat")
            return new StatusAnswer(true);
        if (await categories.ChooseAsync(wanted, cancellationToken) is not { } category)
            return new ErrorAnswer($"'{wanted}' is not a valid name for a category");
        var changed = false;
        foreach (var id in ids)
        {
            changed |= await jobs.GetAsync(id, cancellationToken) is { } job
                && await actions.SetCategoryAsync(job, category, cancellationToken) is null;
        }


        return new StatusAnswer(changed);
    }
}

/// <summary><c>mode=switch</c>: moves a job to a position, or to the position of another job.</summary>
internal sealed class SwitchMode(QueueOrder order, SabJobs view, JobStore jobs) : ISabMode
{
    public IReadOnlyList<string> Names => ["switch"];

    public ApiRights Needs(SabCall call) => ApiRights.Change;

    public async ValueTask<object> RunAsync(SabCall call, CancellationToken cancellationToken)
    {
        if (call.Text("value") is null || call.Text("value2") is not { } target)
            return ErrorAnswer.TwoParameters;
        if (!int.TryParse(target, NumberStyles.None, CultureInfo.InvariantCulture, out var position))
            position = (await view.QueueAsync(cancellationToken)).FindIndex(slot => slot.NzoId == target);
        return await call.IdsAsync("value", jobs, cancellationToken) is [var id, ..] && position >= 0
            && await order.MoveAsync(id, position, cancellationToken) is var (place, priority)
            ? new SwitchAnswer(new SwitchResult(place, priority))
            : new SwitchAnswer(new SwitchResult(-1, 0));
    }
}
