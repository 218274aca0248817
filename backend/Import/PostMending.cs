namespace NzbDav.Import;

/// <summary>The repair that a file is waiting for, has had, or was refused. Its fields are written by who runs it and read by anybody.</summary>
/// <param name="article">For which it was begun.</param>
/// <param name="time">Clock.</param>
internal sealed class PostMending(string article, TimeProvider time)
{
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _begun;
    private int _perMille;
    private bool _isStarted;

    /// <summary>For which it was begun.</summary>
    public string Article => article;

    /// <summary>Completes when it has ended, however that is.</summary>
    public Task Ended => _ended.Task;

    /// <summary>Why the article is not there; null when it is, or it has not ended.</summary>
    public string? Why { get; private set; }

    /// <summary>True when it failed for what passes, such as a provider that does not answer.</summary>
    public bool IsPassing { get; private set; }

    /// <summary>When it may be tried again (a time of <see cref="TimeProvider.GetUtcNow"/>).</summary>
    public DateTimeOffset Until { get; private set; }

    /// <summary>Who was asked: with other providers it may be tried again at once.</summary>
    public object? Asked { get; init; }

    /// <summary>What an earlier process came to may still count: this one has tried nothing for the file.</summary>
    public bool IsFirst { get; init; }

    /// <summary>It is its turn; until then another post is repaired.</summary>
    public bool IsStarted { get => Volatile.Read(ref _isStarted); set => Volatile.Write(ref _isStarted, value); }

    /// <summary>How much of the post was read, in percent; null before the first of it was.</summary>
    public int? Percent => Volatile.Read(ref _perMille) is > 0 and var done ? done / 10 : null;

    /// <summary>The reading began, or went on.</summary>
    public void Report(int perMille)
    {
        if (_perMille == 0)
            Volatile.Write(ref _begun, time.GetTimestamp());
        Volatile.Write(ref _perMille, Math.Clamp(perMille, 1, 1000));
    }

    /// <summary>How long it will take from now on, by what was read until now; null when nothing was.</summary>
    public TimeSpan? Left() =>
        Volatile.Read(ref _perMille) is > 0 and var done ? time.GetElapsedTime(Volatile.Read(ref _begun)) * ((1000.0 - done) / done) : null;

    /// <summary>It has ended.</summary>
    /// <param name="why">Why the article is not there; null: it is.</param>
    /// <param name="until">When it may be tried again.</param>
    /// <param name="isPassing">It failed for what passes.</param>
    public void End(string? why, DateTimeOffset until, bool isPassing = false)
    {
        (Why, Until, IsPassing) = (why, until, isPassing);
        _ended.TrySetResult();
    }
}
