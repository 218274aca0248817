using System.Globalization;

namespace NzbDav.Usenet.Articles;

/// <summary>Tells in words what was tried to get an article.</summary>
internal static class FetchStory
{
    /// <summary>Attempts that succeeded sooner are no part of a story.</summary>
    public static readonly TimeSpan Long = TimeSpan.FromMilliseconds(500);

    /// <param name="attempts">Those that ended, in order.</param>
    /// <param name="time">What the clock readings are of.</param>
    /// <returns>Null when there is nothing to tell.</returns>
    public static string? Tell(IEnumerable<FetchAttempt> attempts, TimeProvider time)
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
