using NzbDav.Content.Recording;
using NzbDav.Library.Recordings;

namespace NzbDav.Api.Native.Streams;

/// <summary>Builds the timeline of a stream's last minutes. Thread-safe.</summary>
internal sealed class StreamHistory(Recordings recordings)
{
    private const int Most = 500;

    /// <summary>Requests that ended longer than this before a wait began did not cause it.</summary>
    private static readonly TimeSpan Earlier = TimeSpan.FromSeconds(30);

    /// <returns>Null if the stream requested nothing in the last minutes.</returns>
    public async Task<StreamTimelineBody?> ReadAsync(long stream, CancellationToken cancellationToken)
    {
        var timeline = recordings.Timeline;
        var entries = recordings.ReadRecent();
        var mine = new HashSet<ulong>();
        TimelineSource? source = null;
        foreach (var entry in entries)
        {
            if (entry.Note is not TimelineSource from || (entry.Kind == TimelineKind.Request ? entry.C : entry.Connection) != stream)
                continue;
            source = from;
            mine.Add(entry.Id);
        }

        if (source is null)
            return null;
        var articles = await recordings.ArticlesOfAsync(source.File, cancellationToken);
        var asked = entries.FindAll(entry => entry.Kind == TimelineKind.Article && articles.ByHash.ContainsKey(entry.Id));
        var firsts = entries.Where(entry => entry.Kind == TimelineKind.FirstByte).GroupBy(static entry => entry.Id)
            .ToDictionary(static group => group.Key, static group => group.First().A);
        var events = new List<StreamEventBody>();
        foreach (var entry in entries)
        {
            var told = entry.Kind switch
            {
                TimelineKind.Request when mine.Contains(entry.Id) => new StreamEventBody
                {
                    At = timeline.TimeOf(entry.At),
                    Kind = StreamEventKind.Request,
                    Position = entry.A,
                    Length = entry.B - entry.A,
                    Seconds = firsts.TryGetValue(entry.Id, out var first) ? Seconds(first) : null,
                },
                TimelineKind.Waited when mine.Contains(entry.Id) => WaitOf(timeline, entry, articles, asked),
                TimelineKind.Closed or TimelineKind.Failed or TimelineKind.Capped => ProviderEventOf(timeline, entry),
                _ => null,
            };
            if (told is null)
                continue;
            if (events is [.., var before] && before.Provider is not null
                && (before.Kind, before.Provider, before.Reason) == (told.Kind, told.Provider, told.Reason))
                events[^1] = told with { Times = before.Times + 1 };
            else
                events.Add(told);
        }

        return new StreamTimelineBody(timeline.TimeOf(entries[0].At), [.. events.TakeLast(Most)], ProvidersOf(timeline, asked));
    }

    private StreamEventBody WaitOf(Timeline timeline, in TimelineEntry wait, RecordedArticles articles, List<TimelineEntry> asked)
    {
        var (at, began, position) = (wait.At, timeline.Before(wait.At, TimeSpan.FromTicks(wait.B)), wait.A);
        int? article = null;
        var attempts = new List<StreamAttemptBody>();
        if (articles.Map is { } map && position < map.Length)
        {
            var hash = Timeline.HashOf(map.Segments.IdUtf8(map.Extents[map.Find(position)].Segment));
            article = articles.ByHash[hash] + 1;

            // The request that delivered the article may end a moment after its reader resumed, and a late one long after.
            var earliest = timeline.Before(began, Earlier);
            foreach (var attempt in asked)
            {
                if (attempt.Id == hash && attempt.At >= earliest && attempt.B <= at
                    && (attempt.At >= began || attempt.Outcome != (byte)ArticleResult.Found))
                    attempts.Add(new StreamAttemptBody(recordings.ProviderName(attempt.Provider), (ArticleResult)attempt.Outcome,
                        attempt.A == 0 ? 0 : Seconds(timeline, attempt.A, attempt.B), Seconds(timeline, attempt.B, attempt.At)));
            }
        }

        return new StreamEventBody
        {
            At = timeline.TimeOf(at),
            Kind = StreamEventKind.Wait,
            Position = position,
            Seconds = Seconds(wait.B),
            Article = article,
            Attempts = attempts,
            Story = wait.Note as string,
        };
    }

    private StreamEventBody? ProviderEventOf(Timeline timeline, in TimelineEntry entry)
    {
        StreamEventKind? kind = entry.Kind switch
        {
            TimelineKind.Capped => StreamEventKind.Capped,
            TimelineKind.Failed => StreamEventKind.Failed,
            _ => (ConnectionEnd)entry.Outcome switch
            {
                ConnectionEnd.TimedOut => StreamEventKind.Silent,
                ConnectionEnd.Quit => null,
                _ => StreamEventKind.Lost,
            },
        };
        return kind is not { } what ? null : new StreamEventBody
        {
            At = timeline.TimeOf(entry.At),
            Kind = what,
            Provider = recordings.ProviderName(entry.Provider),
            Connections = what == StreamEventKind.Capped ? (int)entry.A : null,
            Reason = entry.Note as string,
        };
    }

    private List<StreamProviderBody> ProvidersOf(Timeline timeline, List<TimelineEntry> asked) =>
    [
        .. asked.GroupBy(static entry => entry.Provider).OrderBy(static group => group.Key).Select(group =>
        {
            var found = group.Where(static entry => entry.Outcome == (byte)ArticleResult.Found)
                .Select(entry => Seconds(timeline, entry.B, entry.At)).Order().ToArray();
            var missing = group.Count(static entry => entry.Outcome == (byte)ArticleResult.Missing);
            return new StreamProviderBody(
                recordings.ProviderName(group.Key), group.Count(), found.Length, missing, group.Count() - found.Length - missing,
                found.Length == 0 ? null : found[found.Length / 2], found.Length == 0 ? null : found[^1]);
        }),
    ];

    private static double Seconds(long ticks) => Math.Round(TimeSpan.FromTicks(ticks).TotalSeconds, 3);

    private static double Seconds(Timeline timeline, long from, long to) =>
        Math.Max(0, Math.Round(timeline.Between(from, to).TotalSeconds, 3));
}
