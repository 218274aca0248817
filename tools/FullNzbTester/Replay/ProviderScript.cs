using System.Collections.Concurrent;
using NzbDav.Content.Recording;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;

namespace NzbDav.FullNzbTester.Replay;

/// <summary>
/// Repeats the recorded behaviour of a provider for each article: the first request gets the first recorded answer, and so on. An article
/// that was never requested there exists, unless the nearest requested one of the same file was missing. Thread-safe.
/// </summary>
internal sealed class ProviderScript : IReplyScript
{
    private readonly ProviderPast _past;
    private readonly Dictionary<PostedFile, SortedList<int, List<RecordedLine>>> _answers = [];
    private readonly ConcurrentDictionary<PostedSegment, int> _asked = new();

    /// <param name="lines">Requests to the provider, by time.</param>
    /// <param name="past">Its speed.</param>
    /// <param name="files">The recorded files and the posted ones that replace them, by their numbers in the recording.</param>
    public ProviderScript(
        IEnumerable<RecordedLine> lines, ProviderPast past, IReadOnlyDictionary<int, (RecordedFile Recorded, PostedFile Posted)> files)
    {
        _past = past;
        foreach (var line in lines)
        {
            if (line is not { File: { } number, Article: { } article } || !files.TryGetValue(number, out var file))
                continue;
            var places = _answers.TryGetValue(file.Posted, out var known) ? known : _answers[file.Posted] = [];
            var place = ReplayPlan.PlaceOf(file.Recorded, article);
            if (places.TryGetValue(place, out var answers))
                answers.Add(line);
            else
                places.Add(place, [line]);
        }
    }

    /// <inheritdoc/>
    public ScriptedReply Answer(PostedSegment segment, bool body)
    {
        if (!_answers.TryGetValue(segment.File, out var places))
            return default;
        if (!places.TryGetValue(segment.Index, out var answers))
            return IsMissing(places.Values[NearestOf(places.Keys, segment.Index)][0])
                ? new ScriptedReply(Fault.Missing, TimeSpan.Zero, 0) : default;
        var bodies = answers.FindAll(line => line.Kind == LineKinds.Article);
        if (!body || bodies.Count == 0)
            return IsMissing(answers[0]) ? new ScriptedReply(Fault.Missing, TimeSpan.Zero, 0) : default;
        var time = _asked.AddOrUpdate(segment, 0, static (_, before) => before + 1);
        return Answer(bodies[Math.Min(time, bodies.Count - 1)]);
    }

    private ScriptedReply Answer(RecordedLine line)
    {
        // The earliest time at which the answer could have begun; any further delay was the provider's.
        var could = Math.Max(line.Asked!.Value + _past.RoundTrip(line.Asked.Value), line.Next ?? 0);
        var delay = TimeSpan.FromMilliseconds(Math.Max(0, (line.First ?? line.At!.Value) - could));
        var after = (long)((line.Bytes ?? 0) * 1.02);
        var rate = ProviderPast.RateOf(line);
        return Enum.Parse<ArticleResult>(line.Outcome!, ignoreCase: true) switch
        {
            ArticleResult.Missing => new ScriptedReply(Fault.Missing, delay, 0),
            ArticleResult.Damaged => new ScriptedReply(Fault.Corrupt, delay, rate),
            ArticleResult.Lost => new ScriptedReply(Fault.Drop(after, reset: true), delay, rate),

            // The client gives up. If nothing had arrived, there was no answer at all.
            ArticleResult.TimedOut => new ScriptedReply(Fault.Stall(after), line.First is null ? TimeSpan.Zero : delay, rate),
            _ when ProviderPast.PauseOf(line) is > 0 and var pause =>
                new ScriptedReply(Fault.Stall((long)((line.After ?? 0) * 1.02), TimeSpan.FromMilliseconds(pause)), delay, rate),
            _ => new ScriptedReply(Fault: null, delay, rate),
        };
    }

    private static bool IsMissing(RecordedLine line) =>
        string.Equals(line.Outcome, nameof(ArticleResult.Missing), StringComparison.OrdinalIgnoreCase);

    /// <summary>Index of the nearest key.</summary>
    private static int NearestOf(IList<int> keys, int wanted)
    {
        var (low, high) = (0, keys.Count - 1);
        while (low < high)
        {
            var middle = (low + high) / 2;
            if (keys[middle] < wanted)
                low = middle + 1;
            else
                high = middle;
        }

        return low > 0 && wanted - keys[low - 1] <= Math.Abs(keys[low] - wanted) ? low - 1 : low;
    }
}
