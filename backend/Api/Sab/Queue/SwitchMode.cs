using System.Globalization;
using NzbDav.Access.Keys;
using NzbDav.Api.Sab.Answers;
using NzbDav.Api.Sab.Calls;
using NzbDav.Api.Sab.Jobs;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Api.Sab.Queue;

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
        return await call.IdsAsync("value", jobs, cancellationToken) is [var id, ..] && position >= 0 && await order.MoveAsync(id, position, cancellationToken) is var (place, priority)
            ? new SwitchAnswer(new SwitchResult(place, priority))
            : new SwitchAnswer(new SwitchResult(-1, 0));
    }
}
