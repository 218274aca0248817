using System.Globalization;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Articles;

/// <summary>Describes the attempts to get an article.</summary>
internal static class FetchTrace
{
    /// <summary>Successful attempts faster than this are left out.</summary>
    public static readonly TimeSpan Long = TimeSpan.FromMilliseconds(500);

    /// <summary>Describes the attempts so far. Under the dispatcher's lock.</summary>
    /// <param name="fetch">The fetch.</param>
    /// <param name="hasCome">True when its bytes have arrived, or the first of them.</param>
    /// <param name="time">Clock.</param>
    /// <returns>Null when there is nothing to report.</returns>
    public static string? Of(ArticleFetch fetch, bool hasCome, TimeProvider time)
    {
        var attempts = new List<FetchAttempt>(fetch.Attempts ?? []);

        // The successful attempt ends a moment after its reader continues.
        var now = time.GetTimestamp();
        if (fetch.LateRequest is { Connection: { } slow } late && late != fetch.OnWire && slow.HasRequest(late))
            attempts.Add(new FetchAttempt(slow.Provider.Options.DisplayName, late.QueuedAt, late.SentAt, now, AttemptOutcome.Superseded));
        if (fetch.OnWire is { Connection: { } connection } request)
            attempts.Add(new FetchAttempt(connection.Provider.Options.DisplayName, request.QueuedAt, request.SentAt, now,
                hasCome ? AttemptOutcome.Found : AttemptOutcome.Superseded));
        else if (fetch.Queued is { } queued)
            attempts.Add(new FetchAttempt("", queued.QueuedAt, 0, now, AttemptOutcome.NotSent));
        return Report(attempts, time);
    }

    /// <param name="attempts">Those that ended, in order.</param>
    /// <param name="time">The clock of the readings.</param>
    /// <returns>Null when there is nothing to report.</returns>
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
        AttemptOutcome.Lost => $"the connection to {attempt.Provider} was lost after {after}",
        AttemptOutcome.Refused => $"{attempt.Provider} refused after {after}",
        AttemptOutcome.Superseded => $"{attempt.Provider} had not sent it after {after}",
        _ => null,
    };

    private static string Seconds(TimeSpan span) => string.Create(CultureInfo.InvariantCulture, $"{span.TotalSeconds:0.0} s");
}

/// <summary>One attempt at an article that failed or took long. Times are clock readings; 0: it was never sent.</summary>
/// <param name="Provider">The provider's name.</param>
/// <param name="QueuedAt">When it began to wait for a connection.</param>
/// <param name="SentAt">When a connection sent it.</param>
/// <param name="EndedAt">When it ended.</param>
/// <param name="Outcome">How it ended.</param>
internal readonly record struct FetchAttempt(string Provider, long QueuedAt, long SentAt, long EndedAt, AttemptOutcome Outcome);
