using Microsoft.Extensions.Logging;
using NzbDav.Content;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Articles;

/// <summary>
/// Submits attempts to connections and evaluates their outcomes: for the article, for the provider, and for the estimate of the line.
/// Called outside the dispatcher's lock. Never throws: an internal error is logged and ends only the affected request or connection.
/// </summary>
internal sealed partial class AttemptRunner(
    DispatchState state, Assigner assigner, Router router, LateWatch watch, SilentConnections silent, GoneArticles gone,
    ProviderTimeline? timeline, ILogger logger)
{
    private static readonly (ContentFault?, string) InternalError =
        (ContentFault.Unavailable, "An internal error ended the request; it is in the log.");

    /// <summary>
    /// Does the work that must happen outside the lock. A request that its connection no longer accepts ends as not sent.
    /// </summary>
    public void Do(Work work)
    {
        foreach (var (connection, request) in work.Submissions)
        {
            if (!TrySubmit(connection, request))
                Ended(connection, request, new AttemptEnd(AttemptOutcome.NotSent));
        }

        foreach (var (fetch, verdict) in work.Failures)
            TryEnd(fetch, verdict);
        foreach (var connection in work.Closings)
            connection.Wire.GiveUp("it was slow or silent, and readers waited for a place");
    }

    /// <inheritdoc cref="INntpConnectionOwner.Ended"/>
    public void Ended(DispatchConnection connection, ArticleRequest request, AttemptEnd end)
    {
        var outcome = end.Outcome;
        try
        {
            Note(connection, request, outcome);
        }
        catch (Exception e)
        {
            LogFault(logger, e);
        }

        if (end.Mismatched is not null)
            KeepMismatched(request.Fetch!, end);
        var work = new Work();
        lock (state.Gate)
        {
            // Its end was reported before.
            if (!connection.Requests.Contains(request))
                return;
            try
            {
                if (outcome == AttemptOutcome.Found && request.Command == NntpCommand.Body)
                    Measure(connection, request.SentAt);
                assigner.Release(connection, request);
                if (request.Fetch is { } fetch)
                    Conclude(connection, fetch, request, end, ref work);
                if (outcome != AttemptOutcome.NotSent && request.Command != NntpCommand.Quit && !connection.IsClosed)
                    assigner.Fill(connection, ref work);
            }
            catch (Exception e)
            {
                LogFault(logger, e);
                Abandon(connection, request, ref work);
            }
        }

        Do(work);
    }

    /// <summary>
    /// Records the end of a request: metrics, the provider's counters and reliability, articles found again, the timeline.
    /// </summary>
    private void Note(DispatchConnection connection, ArticleRequest request, AttemptOutcome outcome)
    {
        if (request.Command == NntpCommand.Body)
        {
            state.Metrics.Ended(connection.Provider.Options.DisplayName, outcome);
            connection.Provider.OnRequestEnded(connection.Wire, outcome);
            if (outcome == AttemptOutcome.Found)
                gone.Note(request.Fetch!.Flight, fault: null);
        }

        timeline?.Note(connection.Provider.Number, connection.Wire, request, outcome);
    }

    /// <summary>Ends a request that an internal error left half done, so that nobody waits for it forever.</summary>
    private void Abandon(DispatchConnection connection, ArticleRequest request, ref Work work)
    {
        state.AssertLocked();
        if (connection.Requests.Contains(request))
            assigner.Release(connection, request);
        if (request.Fetch is not { Ended: false } fetch)
            return;
        state.End(fetch);
        work.Fail(fetch, InternalError);
    }

    private bool TrySubmit(DispatchConnection connection, ArticleRequest request)
    {
        try
        {
            return connection.Wire.TrySubmit(request);
        }
        catch (Exception e)
        {
            LogFault(logger, e);
            connection.Wire.Close($"an internal error ({e.Message})");
            return false;
        }
    }

    private void TryEnd(ArticleFetch fetch, (ContentFault? Fault, string Reason) verdict)
    {
        try
        {
            End(fetch, verdict);
        }
        catch (Exception e)
        {
            LogFault(logger, e);
        }
    }

    /// <summary>Stores an article that is not the expected part, replacing an earlier one.</summary>
    private void KeepMismatched(ArticleFetch fetch, AttemptEnd end)
    {
        PooledBuffer? former;
        lock (state.Gate)
        {
            former = fetch.Ended ? end.Mismatched : fetch.Mismatched?.Buffer;
            if (!fetch.Ended)
                fetch.Mismatched = (end.Mismatched!, end.Header!);
        }

        former?.Release();
    }

    /// <summary>Updates the measurements with an article that arrived complete.</summary>
    private void Measure(DispatchConnection connection, long sentAt)
    {
        state.AssertLocked();
        silent.ArticleReceived();
        state.Arrivals.Add(connection.LastActivity);
        var (line, end) = (state.Line, connection.Wire.Last);
        connection.Provider.Pace.ArticleCompleted(end.Written, end.Service, sentAt);
        state.TierOf(connection.Provider)?.ComparePaces(line.ArticleBytes);

        // A slow provider's transfers say nothing about the line.
        if (connection.Provider.Pace.IsSlow)
            return;

        // Count the connections that may be open, not those that are: the others open on demand.
        var connections = connection.Provider.AllowedConnections;
        line.Received(end.Written, end.Transfer, state.Busy, connections);
        connection.Wire.ExpectDepth(line.DepthFor(connection.Provider.RoundTrip, end.Written, connections));
    }

    private void Conclude(
        DispatchConnection connection, ArticleFetch fetch, ArticleRequest request, AttemptEnd end, ref Work work)
    {
        var outcome = end.Outcome;
        fetch.Released(request);
        Note(connection, fetch, request, outcome);
        if (fetch.Ended)
            return;
        var bit = connection.Provider.Bit;
        switch (outcome)
        {
            case AttemptOutcome.Found:
                state.Missing.Remove(fetch.Id, bit);
                state.End(fetch);
                fetch.Exists();
                for (var late = fetch.OnWire; late is not null; late = late.Earlier)
                    watch.HedgeRest(late.Connection!, ref work);
                return;
            case AttemptOutcome.Corrupt:
                fetch.Damaged |= bit;
                fetch.Unusable = end;
                fetch.Tried |= bit;
                break;
            case AttemptOutcome.Foreign:
                fetch.Unusable ??= end;
                fetch.Tried |= bit;
                break;
            case AttemptOutcome.Missing:
                router.NoteMissing(fetch, connection.Provider);
                break;
            case AttemptOutcome.Mismatch:
                fetch.Tried |= bit;
                break;
            case AttemptOutcome.Refused:
                fetch.AskedLast |= bit;
                fetch.SkippedForLosses |= router.CountLoss(fetch) ? bit : 0;
                break;
            case AttemptOutcome.Lost or AttemptOutcome.TimedOut when router.CountLoss(fetch):
                fetch.SkippedForLosses |= bit;
                break;
            default:
                break;
        }

        if (fetch is { OnWire: null, Queued: null })
            router.Route(fetch, avoid: null, ref work);
        else if (fetch.Queued is { } queued && state.TierOf(queued)!.AvailabilityFor(fetch) == ProviderAvailability.Down)
            router.Reroute(fetch, queued, ref work);
        if (outcome == AttemptOutcome.Missing)
            router.ProbeByStat(fetch, ref work);
    }

    /// <summary>Records an attempt that may later explain a wait; skips articles that arrive normally.</summary>
    private void Note(DispatchConnection connection, ArticleFetch fetch, ArticleRequest request, AttemptOutcome outcome)
    {
        var now = state.Time.GetTimestamp();
        if (request.Command != NntpCommand.Body || outcome == AttemptOutcome.NotSent
            || (outcome == AttemptOutcome.Found && state.Time.GetElapsedTime(request.QueuedAt, now) < FetchTrace.Long))
            return;
        fetch.Attempts ??= [];
        fetch.Attempts.Add(new FetchAttempt(connection.Provider.Options.DisplayName, request.QueuedAt, request.SentAt, now, outcome));
    }

    private void End(ArticleFetch fetch, (ContentFault? Fault, string Reason) verdict)
    {
        if (verdict.Fault is { } fault)
        {
            if (fetch.Command == NntpCommand.Body)
                gone.Note(fetch.Flight, fault);
            fetch.Fail(fault, verdict.Reason);
            return;
        }

        var (buffer, header) = fetch.Mismatched!.Value;
        fetch.Flight.Complete(buffer, header.PartSize, header.Begin, header);
        buffer.Release();
        fetch.Mismatched = null;
    }

    [LoggerMessage(136, LogLevel.Error, "An internal error in what follows the end of a request. Please report it.")]
    private static partial void LogFault(ILogger logger, Exception fault);
}
