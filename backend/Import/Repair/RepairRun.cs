
namespace NzbDav.Import.Repair;

/// <summary>
/// The repair of a file: waiting, under way, ended or refused. Its fields are written by the task that runs it and read from any thread.
/// </summary>
/// <param name="article">The article for which the repair was begun.</param>
/// <param name="time">Clock.</param>
internal sealed class RepairRun(string article, TimeProvider time)
{
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _startedAt;
    private int _perMille;
    private bool _isStarted;

    /// <summary>The article for which the repair was begun.</summary>
    public string Article => article;

    /// <summary>Completes when the repair has ended, successfully or not.</summary>
    public Task Ended => _ended.Task;

    /// <summary>Why the article could not be repaired; null if it was, or while the repair has not ended.</summary>
    public string? FailureReason { get; private set; }

    /// <summary>True if it failed for a temporary reason, such as a provider that does not answer.</summary>
    public bool IsTransient { get; private set; }

    /// <summary>When the repair may be tried again (by the clock of <see cref="TimeProvider.GetUtcNow"/>).</summary>
    public DateTimeOffset Until { get; private set; }

    /// <summary>The providers that were asked, compared by reference. With other providers the repair may be tried again at once.</summary>
    public object? Providers { get; init; }

    /// <summary>True for the first repair of the file in this process: a failure that an earlier process stored may still count.</summary>
    public bool IsFirst { get; init; }

    /// <summary>Number of consecutive repairs of the file before this one that failed for a temporary reason.</summary>
    public int Delayed { get; init; }

    /// <summary>True once the repair runs; until then another post is being repaired.</summary>
    public bool IsStarted { get => Volatile.Read(ref _isStarted); set => Volatile.Write(ref _isStarted, value); }

    /// <summary>How much of the post has been read, in percent; null before the first progress report.</summary>
    public int? Percent => Volatile.Read(ref _perMille) is > 0 and var done ? done / 10 : null;

    /// <summary>Reports how much has been read, in thousandths. The first report starts the clock for <see cref="Left"/>.</summary>
    public void Report(int perMille)
    {
        if (_perMille == 0)
            Volatile.Write(ref _startedAt, time.GetTimestamp());
        Volatile.Write(ref _perMille, Math.Clamp(perMille, 1, 1000));
    }

    /// <summary>Estimated time until all is read, from the pace so far; null while nothing has been read.</summary>
    public TimeSpan? Left() =>
        Volatile.Read(ref _perMille) is > 0 and var done ? time.GetElapsedTime(Volatile.Read(ref _startedAt)) * ((1000.0 - done) / done)
        : null;

    /// <summary>Ends the repair.</summary>
    /// <param name="reason">Why the article could not be repaired; null: it was.</param>
    /// <param name="until">When it may be tried again.</param>
    /// <param name="isTransient">True if it failed for a temporary reason.</param>
    public void End(string? reason, DateTimeOffset until, bool isTransient = false)
    {
        (FailureReason, Until, IsTransient) = (reason, until, isTransient);
        _ended.TrySetResult();
    }
}
