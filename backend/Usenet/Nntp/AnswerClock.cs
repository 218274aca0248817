using NzbDav.Content.Rates;

namespace NzbDav.Usenet.Nntp;

/// <summary>
/// Measures the answers on a connection: round trips, pauses, and the time per article. From these it derives how many requests keep the
/// line full. Belongs to the receive loop, except for <see cref="Depth"/> and <see cref="ExpectDepth"/>.
/// </summary>
/// <param name="account">Receives the measurements.</param>
/// <param name="time">Clock.</param>
internal sealed class AnswerClock(INntpAccount account, TimeProvider time)
{
    /// <summary>Weight of a new article in <see cref="_service"/>.</summary>
    private const double Weight = 1.0 / 4;

    private readonly PipelineDepth _depth = new();

    /// <summary>Time from one article's end to the next one's, in ticks, smoothed.</summary>
    private MovingAverage _service;

    private (long Ticks, int After) _pause;
    private RequestEnd _end;
    private long _answerStartedAt;
    private long _finished;
    private bool _finishedFull;

    /// <summary>Articles that should be under way for the line to be full. Thread-safe.</summary>
    public int Depth => _depth.Value;

    /// <inheritdoc cref="PipelineDepth.Expect"/>
    public void ExpectDepth(int depth) => _depth.Expect(depth);

    /// <summary>Records the first byte of an answer.</summary>
    /// <param name="request">The request it answers.</param>
    /// <param name="isAlone">True when nothing else is on the connection.</param>
    /// <param name="now">When it arrived.</param>
    public void AnswerStarted(NntpRequest request, bool isAlone, long now)
    {
        _pause = default;
        _end = default;
        if (isAlone && request.Command == NntpCommand.Body && request.SentAt > _finished)
            account.RoundTripMeasured(time.GetElapsedTime(request.SentAt, now));
        else if (_finished != 0 && request.SentAt <= _finished)
            _depth.ArticleStarted(
                _finishedFull, time.GetElapsedTime(_finished, Math.Max(now, _finished)), time.GetElapsedTime(_answerStartedAt, _finished));
        if (request.Command == NntpCommand.Body)
            account.FirstByte(time.GetElapsedTime(Math.Min(now, Math.Max(request.SentAt, _finished)), now));
        _answerStartedAt = now;
    }

    /// <summary>Records a pause within an article.</summary>
    /// <param name="ticks">Length in ticks of the clock.</param>
    /// <param name="after">Decoded bytes received before it.</param>
    public void Waited(long ticks, int after)
    {
        if (ticks > _pause.Ticks)
            _pause = (ticks, after);
    }

    /// <summary>Records that an article ended, intact or not.</summary>
    /// <param name="bytes">Decoded bytes.</param>
    public void ArticleReceived(int bytes) => _end = new RequestEnd { Written = bytes };

    /// <summary>Records an article that arrived complete.</summary>
    /// <param name="request">Its request.</param>
    /// <param name="headSince">When the request became the next one to be answered.</param>
    /// <param name="now">When its last byte arrived.</param>
    /// <param name="decode">Time spent decoding it.</param>
    public void ArticleCompleted(NntpRequest request, long headSince, long now, TimeSpan decode)
    {
        var transfer = time.GetElapsedTime(_answerStartedAt, Math.Max(_answerStartedAt, now));
        var service = time.GetElapsedTime(
            headSince, Math.Max(headSince, now)) - (request.SentAt >= headSince ? account.RoundTrip : TimeSpan.Zero);
        _end = _end with { Transfer = transfer, Service = service > transfer ? service : transfer };
        _service.Add(_end.Service.Ticks, Weight);

        // With this many requests under way, the last one reaches the server before it has sent the others, even if the round trip doubles
        // under load.
        if (account.RoundTrip is { Ticks: > 0 } roundTrip && _service.IsKnown)
            _depth.Limit(1 + (int)Math.Ceiling(Math.Min(PipelineDepth.Most, 2 * roundTrip.Ticks / _service.Value)));
        account.Received(transfer > decode ? transfer - decode : TimeSpan.Zero, decode, _end.Written);
    }

    /// <summary>Records that a request was answered.</summary>
    /// <param name="headSince">When it became the next one to be answered.</param>
    /// <param name="now">When the last byte arrived.</param>
    /// <param name="wasFull">True when as many requests were on the connection as should be.</param>
    public RequestEnd Ended(long headSince, long now, bool wasFull)
    {
        _finishedFull = wasFull;
        _finished = now;
        return _end with { At = now, HeadSince = headSince, FirstAt = _answerStartedAt, Pause = _pause };
    }

    /// <summary>Records that the connection was lost.</summary>
    /// <param name="headSince">When the request to be answered next became the next one.</param>
    /// <param name="written">Decoded bytes of the article being received; null: none was.</param>
    public RequestEnd ConnectionLost(long headSince, int? written)
    {
        var end = new RequestEnd { At = time.GetTimestamp(), HeadSince = headSince };
        return written is { } bytes ? end with { FirstAt = _answerStartedAt, Pause = _pause, Written = bytes } : end;
    }
}

/// <summary>A connection's measurements of a request that has ended. Times are clock readings unless stated otherwise.</summary>
internal readonly record struct RequestEnd
{
    /// <summary>When it ended.</summary>
    public long At { get; init; }

    /// <summary>When it became the next one to be answered.</summary>
    public long HeadSince { get; init; }

    /// <summary>When the first byte of its answer arrived; 0: none did.</summary>
    public long FirstAt { get; init; }

    /// <summary>The longest pause within the article, in ticks of the clock, and the decoded bytes received before it.</summary>
    public (long Ticks, int After) Pause { get; init; }

    /// <summary>Decoded bytes of the article, complete or not.</summary>
    public int Written { get; init; }

    /// <summary>For an article that arrived complete: time from its first to its last byte.</summary>
    public TimeSpan Transfer { get; init; }

    /// <summary>
    /// For an article that arrived complete: time from when it became the next one to its last byte, without the round trip.
    /// </summary>
    public TimeSpan Service { get; init; }
}
