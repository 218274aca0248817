using System.Collections.Concurrent;
using NzbDav.Content;
using NzbDav.Usenet;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import;

/// <summary>
/// Which of a job's articles exist. One that was fetched does; STAT is sent for any other, once. For a small post all are asked for beside the first fetches, so that
/// <see cref="SurvivalCheck"/> need not wait for another round trip. Thread-safe.
/// </summary>
internal sealed class ArticleSurvey(UsenetClient usenet)
{
    private static readonly Task<ArticleProbe> Fetched = Task.FromResult(new ArticleProbe(SegmentOutcome.Found, Header: null, Reason: null));

    private readonly ConcurrentDictionary<string, Task<ArticleProbe>> _answers = new(StringComparer.Ordinal);

    private readonly ConcurrentDictionary<string, bool> _lost = new(StringComparer.Ordinal);

    /// <summary>True once an article was denied, or was damaged: the post has a hole, or a server denies what it has.</summary>
    public bool HasHoles { get; private set; }

    /// <summary>The article was fetched.</summary>
    public void Found(string articleIds) => _answers[articleIds] = Fetched;

    /// <summary>True once an article was damaged on every provider that has it: STAT does not tell how many are.</summary>
    public bool HasDamage { get; private set; }

    /// <summary>Articles that were denied or damaged.</summary>
    public IReadOnlySet<string> Lost => _lost.Keys.ToHashSet(StringComparer.Ordinal);

    /// <summary>What became of an article that was fetched.</summary>
    public void Ended(string articleIds, SegmentOutcome outcome)
    {
        if (outcome is SegmentOutcome.Missing or SegmentOutcome.Corrupt)
            _lost[articleIds] = true;
        HasHoles |= outcome is SegmentOutcome.Missing or SegmentOutcome.Corrupt;
        HasDamage |= outcome == SegmentOutcome.Corrupt;
    }

    /// <summary>Sends STAT, without waiting, for the articles that <see cref="FileProbe"/> does not fetch; nothing if they are more than the survival check looks at.</summary>
    public void AskAhead(IReadOnlyList<NzbFile> posted, CancellationToken cancellationToken)
    {
        if (posted.Sum(file => (long)file.Segments.Length) > SurvivalCheck.Sample)
            return;
        foreach (var file in posted)
        {
            var end = file.Segments.Length - (FileProbe.TakesLast(file, posted.Count) ? 1 : 0);
            for (var segment = 1; segment < end; segment++)
                _answers.TryAdd(file.Segments[segment].ArticleIds, usenet.StatAsync(file.KeyOf(segment), FetchPriority.Import, cancellationToken));
        }
    }

    /// <inheritdoc cref="UsenetClient.StatAsync(SegmentKey, FetchPriority, CancellationToken)"/>
    public async Task<ArticleProbe> StatAsync(SegmentKey article, CancellationToken cancellationToken)
    {
        var known = _answers.TryGetValue(article.Id, out var asked) ? await asked : null;

        // Silence may be over.
        var answer = known?.Outcome is SegmentOutcome.Found or SegmentOutcome.Missing ? known : await usenet.StatAsync(article, FetchPriority.Import, cancellationToken);
        if (answer.Outcome == SegmentOutcome.Missing)
            Ended(article.Id, answer.Outcome);
        return answer;
    }
}
