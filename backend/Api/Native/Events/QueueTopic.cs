using NzbDav.Api.Native.Jobs;
using NzbDav.Api.Sab.Calls;
using NzbDav.Api.Sab.Traffic;
using NzbDav.Import.Queue;
using QueueBody = NzbDav.Api.Native.Jobs.QueueBody;

namespace NzbDav.Api.Native.Events;

/// <summary>Reports the state of the queue whenever it is paused or resumed, also when a timed pause ends. Thread-safe.</summary>
internal sealed class QueueTopic(QueueSwitch pause, ISabTraffic traffic, SabCategories categories, TimeProvider time) : IEventTopic
{
    /// <summary>Longest timer: a pause may last a year, which a timer does not accept.</summary>
    private static readonly TimeSpan LongestPeriod = TimeSpan.FromDays(1);

    private long? _periodTicks;

    public event Action? Changed
    {
        add => pause.Changed += value;
        remove => pause.Changed -= value;
    }

    public string Name => "queue";

    public Type DataType => typeof(QueueBody);

    public bool IsWhole => true;

    public TimeSpan Pace => TimeSpan.FromMilliseconds(250);

    /// <summary>The time until the pause ends; zero for the first page, because that time is not known yet.</summary>
    public TimeSpan? Period => _periodTicks is { } ticks ? TimeSpan.FromTicks(ticks) : null;

    public async ValueTask<object?> NextAsync(CancellationToken cancellationToken)
    {
        var queue = await QueueEndpoints.DescribeAsync(pause, traffic, categories, cancellationToken);
        var left = queue.PausedUntil - time.GetUtcNow();
        _periodTicks = left is { } rest ? (rest < LongestPeriod ? rest : LongestPeriod).Ticks : null;
        return queue;
    }

    public void Begin() => _periodTicks = 0;
}
