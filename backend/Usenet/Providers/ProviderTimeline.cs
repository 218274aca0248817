using NzbDav.Content.Recording;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Providers;

/// <summary>Records requests to providers, their results, and connection events in a <see cref="Timeline"/>. Thread-safe.</summary>
internal sealed class ProviderTimeline(Timeline timeline)
{
    /// <summary>
    /// Records the end of an attempt. Called by the connection's receive loop, while <see cref="NntpConnection.Last"/> describes this
    /// request.
    /// </summary>
    /// <param name="provider">The provider's number.</param>
    /// <param name="connection">The connection that carried it.</param>
    /// <param name="request">The request.</param>
    /// <param name="outcome">How it ended.</param>
    public void Note(int provider, NntpConnection connection, NntpRequest request, AttemptOutcome outcome)
    {
        // A request never sent or never processed says nothing about the provider.
        if (request.SentAt == 0 || outcome == AttemptOutcome.NotSent || request.Command is not (NntpCommand.Body or NntpCommand.Stat))
            return;
        var isBody = request.Command == NntpCommand.Body;
        var end = connection.Last;
        timeline.Providers.Add(new TimelineEntry
        {
            Kind = isBody ? TimelineKind.Article : TimelineKind.Stat,
            At = end.At,
            Id = Timeline.HashOf(isBody ? request.Flight.Key.Id : request.MessageId),
            A = request.QueuedAt,
            B = request.SentAt,
            C = end.HeadSince,
            D = end.FirstAt,
            Bytes = isBody && outcome != AttemptOutcome.Missing
                ? outcome == AttemptOutcome.Superseded && end.Written == 0 ? request.Flight.Key.Size : end.Written : 0,
            Pause = isBody ? end.Pause.Ticks : 0,
            PauseAfter = isBody ? end.Pause.After : 0,
            Connection = connection.Number,
            Provider = (byte)provider,
            Detail = (byte)request.Urgency,
            Outcome = (byte)ResultOf(outcome),
        });
    }

    /// <summary>Records that a connection was opened.</summary>
    public void Opened(int provider, NntpConnection connection, TimeSpan took) => timeline.Providers.Add(new TimelineEntry
    {
        Kind = TimelineKind.Opened,
        At = connection.OpenedAt,
        A = took.Ticks,
        Connection = connection.Number,
        Provider = (byte)provider,
    });

    /// <summary>Records that a connection ended.</summary>
    /// <param name="provider">Its provider's number.</param>
    /// <param name="connection">The connection.</param>
    /// <param name="isLeaving">True if it was told to quit.</param>
    /// <param name="open">Number of connections left.</param>
    public void Closed(int provider, NntpConnection connection, bool isLeaving, int open) => timeline.Providers.Add(new TimelineEntry
    {
        Kind = TimelineKind.Closed,
        At = timeline.Now,
        Bytes = open,
        Connection = connection.Number,
        Provider = (byte)provider,
        Outcome = (byte)(connection.TimedOut
            ? ConnectionEnd.TimedOut : isLeaving ? ConnectionEnd.Quit : connection.WasRefused ? ConnectionEnd.Refused : ConnectionEnd.Lost),
        Note = connection.CloseReason,
    });

    /// <summary>Records that a connection could not be opened.</summary>
    /// <param name="provider">The provider's number.</param>
    /// <param name="result">Why.</param>
    /// <param name="open">Number of open connections.</param>
    /// <param name="cap">The cap learned from it; null: none.</param>
    public void Failed(int provider, NntpConnectResult result, int open, int? cap)
    {
        timeline.Providers.Add(new TimelineEntry
        {
            Kind = TimelineKind.Failed,
            At = timeline.Now,
            Bytes = open,
            Provider = (byte)provider,
            Outcome = (byte)(result.Failure switch
            {
                NntpConnectFailure.TooManyConnections => ConnectFault.TooMany,
                NntpConnectFailure.LoginRefused => ConnectFault.Login,
                _ => ConnectFault.Unreachable,
            }),
            Note = result.Reason,
        });
        if (cap is { } limit)
            timeline.Providers.Add(
                new TimelineEntry { Kind = TimelineKind.Capped, At = timeline.Now, A = limit, Provider = (byte)provider });
    }

    private static ArticleResult ResultOf(AttemptOutcome outcome) => outcome switch
    {
        AttemptOutcome.Missing => ArticleResult.Missing,
        AttemptOutcome.Corrupt or AttemptOutcome.Foreign or AttemptOutcome.Mismatch => ArticleResult.Damaged,
        AttemptOutcome.TimedOut => ArticleResult.TimedOut,
        AttemptOutcome.Lost => ArticleResult.Lost,
        AttemptOutcome.Refused => ArticleResult.Refused,
        _ => ArticleResult.Found,
    };
}
