using NzbDav.Content;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Articles;

/// <summary>
/// The one admission structure: every article request waits here in order of priority, one queue per provider tier, and
/// connections pull when they have room. One lock, never held across a wait or a write to a socket; no permits, no nested queues. Thread-safe.
/// </summary>
internal sealed partial class Dispatcher : ISegmentFetcher, INntpConnectionOwner, IDisposable
{
    private readonly Lock _gate = new();
    private readonly TimeProvider _time;
    private readonly List<ArticleFetch> _watched = [];
    private readonly ITimer _watch;
    private readonly UsenetMetrics _metrics;
    private readonly LineEstimate _line;
    private readonly MissingNotes _missing;
    private readonly ProviderTimeline? _timeline;
    private Tier[] _tiers = [];
    private int _busy;
    private bool _disposed;

    public Dispatcher(TimeProvider time, UsenetMetrics metrics, ProviderTimeline? timeline = null)
    {
        _timeline = timeline;
        _time = time;
        _metrics = metrics;
        Gone = new GoneArticles(time);
        _line = new LineEstimate(time);
        _missing = new MissingNotes(time);
        _watch = time.CreateTimer(static state => ((Dispatcher)state!).HedgeLate(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Where attempts and connections are noted; null: nowhere.</summary>
    public ProviderTimeline? Timeline => _timeline;

    /// <summary>What readers found gone.</summary>
    public GoneArticles Gone { get; }

    /// <summary>Requests that wait for a connection.</summary>
    public int Queued
    {
        get
        {
            lock (_gate)
                return _tiers.Sum(tier => tier.Queue.Count);
        }
    }

    /// <summary>Requests that a connection has taken and not ended.</summary>
    public int OnWire
    {
        get
        {
            lock (_gate)
                return _tiers.Sum(tier => tier.Connections.Sum(connection => connection.InFlight));
        }
    }

    /// <inheritdoc/>
    public long Burst => _line.Burst;

    /// <inheritdoc/>
    public void Dispose()
    {
        _watch.Dispose();
        var work = new Work();
        lock (_gate)
        {
            _disposed = true;
            foreach (var tier in _tiers)
            {
                while (tier.Queue.Peek() is { } request)
                {
                    EndLocked(request.Fetch!);
                    work.Fail(request.Fetch!, ShuttingDown);
                }
            }
        }

        Do(work);
    }

    /// <inheritdoc/>
    public void Begin(SegmentFlight flight)
    {
        var fetch = new ArticleFetch(flight);
        if (Unsendable(fetch, flight.Key.Id) is { } reason)
        {
            flight.Fail(SegmentOutcome.Missing, reason);
            return;
        }

        var work = new Work();
        lock (_gate)
        {
            fetch.Noted = DoubtsLocked(fetch);
            flight.FetcherState = fetch;
            RouteLocked(fetch, avoid: null, ref work);
            WatchLocked(fetch);
        }

        Do(work);
    }

    /// <summary>Asks the providers in turn whether they have an article; the answer ends <paramref name="stat"/>.</summary>
    public void Begin(ArticleStat stat)
    {
        var fetch = new ArticleFetch(stat);
        if (Unsendable(fetch, stat.Id) is { } reason)
        {
            stat.End(SegmentOutcome.Missing, reason);
            return;
        }

        var work = new Work();
        lock (_gate)
        {
            fetch.Noted = DoubtsLocked(fetch);
            RouteLocked(fetch, avoid: null, ref work);
            WatchLocked(fetch);
        }

        Do(work);
    }

    /// <inheritdoc/>
    public void Raise(SegmentFlight flight)
    {
        var work = new Work();
        lock (_gate)
        {
            if (flight.FetcherState is not ArticleFetch { Ended: false } fetch)
                return;
            WatchLocked(fetch);
            if (fetch.Queued is { } request && flight.Priority < request.Priority)
            {
                request.Tier!.Queue.Raise(request, flight.Priority);
                AssignLocked(request.Tier, ref work);
            }
        }

        Do(work);
    }

    /// <inheritdoc/>
    public string? SourceOf(SegmentFlight flight)
    {
        lock (_gate)
            return (flight.FetcherState as ArticleFetch)?.OnWire?.Connection?.Provider.Options.DisplayName;
    }

    /// <inheritdoc/>
    public string? StoryOf(SegmentFlight flight)
    {
        lock (_gate)
        {
            if (flight.FetcherState is not ArticleFetch fetch)
                return null;
            var attempts = new List<FetchAttempt>(fetch.Attempts ?? []);

            // The one that brought it ends a moment after its reader goes on.
            var now = _time.GetTimestamp();
            if (fetch.Late is { Connection: { } slow } late && late != fetch.OnWire && slow.Carried.Contains(late))
                attempts.Add(new FetchAttempt(slow.Provider.Options.DisplayName, late.QueuedAt, late.SentAt, now, AttemptOutcome.Superseded));
            if (fetch.OnWire is { Connection: { } connection } request)
                attempts.Add(new FetchAttempt(connection.Provider.Options.DisplayName, request.QueuedAt, request.SentAt, now, flight.Outcome is SegmentOutcome.Found ? AttemptOutcome.Found : AttemptOutcome.Superseded));
            else if (fetch.Queued is { } queued)
                attempts.Add(new FetchAttempt("", queued.QueuedAt, 0, now, AttemptOutcome.NotSent));
            return FetchStory.Tell(attempts, _time);
        }
    }

    /// <inheritdoc/>
    public bool TryDrop(SegmentFlight flight)
    {
        lock (_gate)
        {
            if (flight.FetcherState is not ArticleFetch { Ended: false, Active: 0, Queued: { } request } fetch)
                return false;
            request.Tier!.Queue.Remove(request);
            EndLocked(fetch);
            return true;
        }
    }

    /// <inheritdoc/>
    public void Ended(NntpConnection connection, ArticleRequest request, AttemptOutcome outcome, string? reason)
    {
        if (request.Command == NntpCommand.Body)
        {
            _metrics.Ended(connection.Provider, outcome);
            connection.Provider.Asked(connection, outcome);
            if (outcome == AttemptOutcome.Found)
                Gone.Note(request.Fetch!.Flight, SegmentOutcome.Found);
        }

        _timeline?.Note(connection, request, outcome);
        var work = new Work();
        lock (_gate)
        {
            if (outcome == AttemptOutcome.Found && request.Command == NntpCommand.Body)
            {
                _openedAnew = 0;
                MeasureLocked(connection, request.SentAt);
            }

            ReleaseLocked(connection, request);
            if (request.Fetch is { } fetch)
                AttemptEndedLocked(connection, fetch, request, outcome, reason, ref work);
            if (outcome is not (AttemptOutcome.Lost or AttemptOutcome.Refused or AttemptOutcome.NotSent) && request.Command != NntpCommand.Quit && !connection.IsClosed)
                FillLocked(connection, ref work);
        }

        Do(work);
    }

    /// <inheritdoc/>
    public void EndedOdd(NntpConnection connection, ArticleRequest request, PooledBuffer buffer, ArticleHeader header)
    {
        PooledBuffer? former;
        lock (_gate)
        {
            former = request.Fetch!.Ended ? buffer : request.Fetch.Odd;
            if (!request.Fetch.Ended)
            {
                request.Fetch.Odd = buffer;
                request.Fetch.OddHeader = header;
            }
        }

        former?.Release();
        Ended(connection, request, AttemptOutcome.Mismatch, reason: null);
    }

    private void AttemptEndedLocked(NntpConnection connection, ArticleFetch fetch, ArticleRequest request, AttemptOutcome outcome, string? reason, ref Work work)
    {
        fetch.Active--;
        if (fetch.OnWire == request)
            fetch.OnWire = null;
        NoteLocked(connection, fetch, request, outcome);
        if (fetch.Ended)
            return;
        var bit = connection.Provider.Bit;
        switch (outcome)
        {
            case AttemptOutcome.Found:
                _missing.Remove(fetch.Id, bit);
                EndLocked(fetch);
                fetch.Exists();
                if (fetch.Late is { Connection: { } late } && late != connection)
                    AskAgainLocked(late, ref work);
                return;
            case AttemptOutcome.Corrupt:
                fetch.Damaged |= bit;
                fetch.Damage = reason;
                fetch.Tried |= bit;
                break;
            case AttemptOutcome.Foreign:
                fetch.Encoding = reason;
                fetch.Tried |= bit;
                break;
            case AttemptOutcome.Missing:
                NoteMissingLocked(fetch, connection.Provider);
                break;
            case AttemptOutcome.Mismatch:
                fetch.Tried |= bit;
                break;
            case AttemptOutcome.Refused:
                fetch.Refused |= bit;
                fetch.Lost |= CountLoss(fetch) >= MaxLosses ? bit : 0;
                break;
            case AttemptOutcome.Lost when CountLoss(fetch) >= MaxLosses:
                fetch.Lost |= bit;
                break;
            default:
                break;
        }

        if (fetch.Active == 0 && fetch.Queued is null)
            RouteLocked(fetch, avoid: null, ref work);
        else if (fetch is { Active: 1, Queued: null, Hedged: true })
            WatchAgainLocked(fetch);
        else if (fetch.Queued is { } queued && queued.Tier!.StandingFor(fetch) == ProviderStanding.Down)
            RerouteLocked(fetch, queued, ref work);
        if (outcome == AttemptOutcome.Missing)
            SurveyLocked(fetch, ref work);
    }

    /// <summary>Keeps what a wait may be told to have been for; of an article that comes as it should, nothing.</summary>
    private void NoteLocked(NntpConnection connection, ArticleFetch fetch, ArticleRequest request, AttemptOutcome outcome)
    {
        var now = _time.GetTimestamp();
        if (request.Command != NntpCommand.Body || outcome == AttemptOutcome.NotSent || (outcome == AttemptOutcome.Found && _time.GetElapsedTime(request.QueuedAt, now) < FetchStory.Long))
            return;
        fetch.Attempts ??= [];
        fetch.Attempts.Add(new FetchAttempt(connection.Provider.Options.DisplayName, request.QueuedAt, request.SentAt, now, outcome));
    }

    private void MeasureLocked(NntpConnection connection, long sentAt)
    {
        connection.Provider.Pace.Came(connection.LastBytes, connection.LastService, sentAt);
        TierOf(connection.Provider)?.ComparePaces(_line.ArticleBytes);

        // What a slow provider brings says nothing of the line.
        if (connection.Provider.Pace.IsSlow)
            return;

        // Those that may be open, not those that are: the others open as soon as they are wanted.
        var connections = connection.Provider.Options.MaxConnections;
        _line.Received(connection.LastBytes, connection.LastTransfer, _busy, connections);
        connection.ExpectDepth(_line.DepthFor(connection.Provider.RoundTrip, connection.LastBytes, connections));
    }

    /// <summary>Hands queued requests to the connections with the least to do.</summary>
    private void AssignLocked(Tier tier, ref Work work)
    {
        while (tier.Queue.Peek() is { } request)
        {
            var best = tier.LeastBusyFor(request);
            if (TryHelpLocked(tier, request, best, ref work))
                continue;
            if (best is null)
            {
                // The most urgent one finds no place; those behind it may, when it waits for one provider of several only.
                FillAllLocked(tier, ref work);
                if (tier.Queue.Count > 0)
                    tier.Demand(tier.Queue.Count);
                CallHelpLocked(tier, ref work);
                return;
            }

            tier.Queue.Remove(request);
            AssignLocked(best, request, ref work);
        }
    }

    private void AssignLocked(NntpConnection connection, ArticleRequest request, ref Work work)
    {
        if (connection.InFlight == 0)
            _busy++;
        connection.Carried.Add(request);
        connection.StatsInFlight += request.Command == NntpCommand.Stat ? 1 : 0;
        request.Connection = connection;
        request.UsualTime = _line.ArticleTime(_busy);
        if (request.Command == NntpCommand.Body)
            connection.Provider.Pace.Asked();
        if (request.Fetch is { } fetch)
        {
            fetch.Queued = null;
            fetch.Active++;
            fetch.Asked |= connection.Provider.Bit;
            fetch.OnWire = request;
            fetch.MarkSent();
        }

        work.Submit(connection, request);
    }

    private void ReleaseLocked(NntpConnection connection, ArticleRequest request)
    {
        connection.Carried.Remove(request);
        if (connection.InFlight == 0)
            _busy--;
        connection.StatsInFlight -= request.Command == NntpCommand.Stat ? 1 : 0;
        if (request.Helped is { } helped)
            helped.CarriedElsewhere--;
    }

    private void FillLocked(Tier tier, NntpConnection connection, ref Work work)
    {
        while (TakeLocked(tier, connection) is { } request)
            AssignLocked(connection, request, ref work);
    }

    private ArticleRequest? TakeLocked(Tier tier, NntpConnection connection)
    {
        if (connection.HasRoomFor(NntpCommand.Body))
            return connection.Provider.Pace.IsSlow ? TakeForSlowLocked(tier, connection) : tier.Queue.TakeFor(connection);

        // Full of articles; a question that carries nothing may have room, if nothing more urgent waits. All others would be looked at in vain.
        if (tier.Queue.Peek() is not { } first || !connection.HasRoomFor(first.Command) || !connection.MayCarry(first))
            return null;
        tier.Queue.Remove(first);
        return first;
    }

    private void EndLocked(ArticleFetch fetch, bool keepOdd = false)
    {
        fetch.Ended = true;
        _importHedges -= fetch.HedgedForImport ? 1 : 0;
        fetch.HedgedForImport = false;
        if (!keepOdd)
        {
            fetch.Odd?.Release();
            fetch.Odd = null;
        }

        if (fetch.Queued is { IsQueued: true } request)
            request.Tier!.Queue.Remove(request);
        fetch.Queued = null;
    }

    /// <summary>What happens outside the lock. A request that its connection does not take any more comes back as lost.</summary>
    private void Do(Work work)
    {
        foreach (var (connection, request) in work.Submissions)
        {
            if (!connection.TrySubmit(request))
                Ended(connection, request, AttemptOutcome.NotSent, reason: null);
        }

        foreach (var (fetch, verdict) in work.Failures)
            Conclude(fetch, verdict);
        foreach (var connection in work.Closings)
            connection.GiveUp("it was slow or silent, and readers waited for a place");
    }
}
