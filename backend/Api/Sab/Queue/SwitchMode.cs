using System.Globalization;
using NzbDav.Catalog;

namespace NzbDav.Api.Sab;

/// <summary><c>mode=switch</c>: a job goes to a position, or to where another one stands.</summary>
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
