using NzbDav.Api.Native.Jobs;
using NzbDav.Api.Sab;
using NzbDav.Import;
using QueueBody = NzbDav.Api.Native.Jobs.QueueBody;

namespace NzbDav.Api.Native.Events;

/// <summary>The queue as a whole, whenever it is paused or goes on, also when a pause runs out. Thread-safe.</summary>
internal sealed class QueueTopic(QueueSwitch pause, ISabTraffic traffic, SabCategories categories, TimeProvider time) : IEventTopic
{
    /// <summary>A timer takes no year.</summary>
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

    /// <summary>Until the pause runs out; at once for the first page, because nobody knows yet when that is.</summary>
    public TimeSpan? Period => _periodTicks is { } ticks ? TimeSpan.FromTicks(ticks) : null;

    public async ValueTask<object?> TakeAsync(CancellationToken cancellationToken)
    {
        var queue = await QueueEndpoints.DescribeAsync(pause, traffic, categories, cancellationToken);
        var left = queue.PausedUntil - time.GetUtcNow();
        _periodTicks = left is { } rest ? (rest < LongestPeriod ? rest : LongestPeriod).Ticks : null;
        return queue;
    }

    public void Begin() => _periodTicks = 0;
}
