using System.Globalization;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Articles;

/// <summary>Describes the attempts to get an article.</summary>
internal static class FetchTrace
{
    /// <summary>Successful attempts faster than this are left out.</summary>
    public static readonly TimeSpan Long = TimeSpan.FromMilliseconds(500);

    /// <summary>Describes the attempts so far. Call under the dispatcher's lock.</summary>
    /// <param name="fetch">The fetch.</param>
    /// <param name="hasCome">True if its bytes, or the first of them, have arrived.</param>
    /// <param name="time">Clock.</param>
    /// <returns>Null if there is nothing to report.</returns>
    public static string? Of(ArticleFetch fetch, bool hasCome, TimeProvider time)
    {
        var attempts = new List<FetchAttempt>(fetch.Attempts ?? []);

        // The successful attempt ends a moment after its reader continues.
        var (now, ended) = (time.GetTimestamp(), attempts.Count);
        for (var request = fetch.OnWire; request is not null; request = request.Earlier)
            attempts.Insert(ended, new FetchAttempt(
                request.Connection!.Provider.Options.DisplayName, request.QueuedAt, request.SentAt, now,
                hasCome && request == fetch.OnWire ? AttemptOutcome.Found : AttemptOutcome.Superseded));
        if (fetch is { OnWire: null, Queued: { } queued })
            attempts.Add(new FetchAttempt("", queued.QueuedAt, 0, now, AttemptOutcome.NotSent));
        return Report(attempts, time);
    }

    /// <param name="attempts">Attempts in the order in which they ended.</param>
    /// <param name="time">The clock of the readings.</param>
    /// <returns>Null if there is nothing to report.</returns>
    public static string? Report(IEnumerable<FetchAttempt> attempts, TimeProvider time)
    {
        var parts = new List<string>();
        foreach (var attempt in attempts)
        {
            var sent = attempt.SentAt == 0 ? attempt.EndedAt : attempt.SentAt;
            if (attempt.QueuedAt != 0 && time.GetElapsedTime(attempt.QueuedAt, sent) is var queued && queued >= Long)
                parts.Add($"no connection was free for {Seconds(queued)}");
            if (attempt.SentAt != 0 && WordsOf(attempt, Seconds(time.GetElapsedTime(attempt.SentAt, attempt.EndedAt))) is { } words)
                parts.Add(words);
        }

        return parts.Count == 0 ? null : string.Join(", ", parts);
    }

    private static string? WordsOf(FetchAttempt attempt, string after) => attempt.Outcome switch
    {
        AttemptOutcome.Found => $"{attempt.Provider} took {after}",
        AttemptOutcome.Missing => $"{attempt.Provider} answered after {after} that it does not have it",
        AttemptOutcome.Corrupt => $"{attempt.Provider} sent a damaged copy in {after}",
        AttemptOutcome.Foreign => $"{attempt.Provider} sent another encoding in {after}",
        AttemptOutcome.Mismatch => $"{attempt.Provider} sent another part in {after}",
        AttemptOutcome.Lost or AttemptOutcome.TimedOut => $"the connection to {attempt.Provider} was lost after {after}",
        AttemptOutcome.Refused => $"{attempt.Provider} refused after {after}",
        AttemptOutcome.Superseded => $"{attempt.Provider} had not sent it after {after}",
        _ => null,
    };

    private static string Seconds(TimeSpan span) => string.Create(CultureInfo.InvariantCulture, $"{span.TotalSeconds:0.0} s");
}

/// <summary>One attempt at an article that failed or took long. Times are clock readings; 0: it was never sent.</summary>
/// <param name="Provider">The provider's name.</param>
/// <param name="QueuedAt">When it started to wait for a connection.</param>
/// <param name="SentAt">When a connection sent it.</param>
/// <param name="EndedAt">When it ended.</param>
/// <param name="Outcome">How it ended.</param>
internal readonly record struct FetchAttempt(string Provider, long QueuedAt, long SentAt, long EndedAt, AttemptOutcome Outcome);
