using NzbDav.Fakes;

namespace NzbDav.Torrents.Tests.Scripted;

/// <summary>A clock that moves by hand, and by <see cref="Step"/> whenever one of the engine's workers reads it, so that each piece of
/// their work takes one step.</summary>
internal sealed class WorkerClock(ManualTimeProvider hand) : TimeProvider
{
    public static readonly TimeSpan Step = TimeSpan.FromMilliseconds(4);

    private long _extra;

    public override long TimestampFrequency => hand.TimestampFrequency;

    public override DateTimeOffset GetUtcNow() => hand.GetUtcNow();

    public override long GetTimestamp() =>
        hand.GetTimestamp() + (Thread.CurrentThread.Name is "torrent-worker" or "torrent-writer"
            ? Interlocked.Add(ref _extra, Step.Ticks) : Interlocked.Read(ref _extra));

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        hand.CreateTimer(callback, state, dueTime, period);
}
