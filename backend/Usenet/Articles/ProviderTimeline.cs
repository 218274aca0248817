using NzbDav.Content.Recording;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Articles;

/// <summary>Notes in a <see cref="Timeline"/> what was asked of providers, what came of it, and what became of their connections. Thread-safe.</summary>
internal sealed class ProviderTimeline(Timeline timeline)
{
    /// <summary>An attempt ended. Called by the connection's receive loop, so that what the connection tells of its last request is of this one.</summary>
    public void Note(NntpConnection connection, ArticleRequest request, AttemptOutcome outcome)
    {
        // What was never sent, or never looked at, says nothing of the provider.
        if (request.Fetch is not { } fetch || request.SentAt == 0 || outcome == AttemptOutcome.NotSent || request.Command is not (NntpCommand.Body or NntpCommand.Stat))
            return;
        var isBody = request.Command == NntpCommand.Body;
        timeline.Providers.Add(new TimelineEntry
        {
            Kind = isBody ? TimelineKind.Article : TimelineKind.Stat,
            At = connection.LastEndAt,
            Id = Timeline.HashOf(isBody ? fetch.Flight.Key.Id : fetch.Id),
            A = request.QueuedAt,
            B = request.SentAt,
            C = connection.LastHeadSince,
            D = connection.LastFirstAt,
            Bytes = isBody && outcome != AttemptOutcome.Missing ? outcome == AttemptOutcome.Superseded && connection.LastWritten == 0 ? fetch.Flight.Key.Size : connection.LastWritten : 0,
            Pause = isBody ? connection.LastPause.Ticks : 0,
            PauseAfter = isBody ? connection.LastPause.After : 0,
            Connection = connection.Number,
            Provider = NumberOf(connection.Provider),
            Detail = (byte)fetch.Priority,
            Outcome = (byte)ResultOf(connection, outcome),
        });
    }

    public void Opened(NntpConnection connection, TimeSpan took) => timeline.Providers.Add(new TimelineEntry
    {
        Kind = TimelineKind.Opened,
        At = connection.OpenedAt,
        A = took.Ticks,
        Connection = connection.Number,
        Provider = NumberOf(connection.Provider),
    });

    /// <param name="connection">It has ended.</param>
    /// <param name="open">Connections that are left.</param>
    public void Closed(NntpConnection connection, int open) => timeline.Providers.Add(new TimelineEntry
    {
        Kind = TimelineKind.Closed,
        At = timeline.Now,
        Bytes = open,
        Connection = connection.Number,
        Provider = NumberOf(connection.Provider),
        Outcome = (byte)(connection.TimedOut ? ConnectionEnd.TimedOut : connection.IsLeaving ? ConnectionEnd.Quit : connection.WasRefused ? ConnectionEnd.Refused : ConnectionEnd.Lost),
        Note = connection.CloseReason,
    });

    /// <param name="provider">It let no connection be opened.</param>
    /// <param name="result">Why.</param>
    /// <param name="open">Connections that are open.</param>
    /// <param name="cap">What is learned to be allowed; null: nothing was learned.</param>
    public void Failed(Provider provider, NntpConnectResult result, int open, int? cap)
    {
        timeline.Providers.Add(new TimelineEntry
        {
            Kind = TimelineKind.Failed,
            At = timeline.Now,
            Bytes = open,
            Provider = NumberOf(provider),
            Outcome = (byte)(result.Failure switch
            {
                NntpConnectFailure.TooManyConnections => ConnectFault.TooMany,
                NntpConnectFailure.LoginRefused => ConnectFault.Login,
                _ => ConnectFault.Unreachable,
            }),
            Note = result.Reason,
        });
        if (cap is { } limit)
            timeline.Providers.Add(new TimelineEntry { Kind = TimelineKind.Capped, At = timeline.Now, A = limit, Provider = NumberOf(provider) });
    }

    private static byte NumberOf(Provider provider) => (byte)provider.Number;

    private static ArticleResult ResultOf(NntpConnection connection, AttemptOutcome outcome) => outcome switch
    {
        AttemptOutcome.Missing => ArticleResult.Missing,
        AttemptOutcome.Corrupt or AttemptOutcome.Foreign or AttemptOutcome.Mismatch => ArticleResult.Damaged,
        AttemptOutcome.Lost when connection.TimedOut => ArticleResult.TimedOut,
        AttemptOutcome.Lost => ArticleResult.Lost,
        AttemptOutcome.Refused => ArticleResult.Refused,
        _ => ArticleResult.Found,
    };
}
