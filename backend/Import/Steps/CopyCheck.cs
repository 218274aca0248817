using Microsoft.Extensions.Logging;
using NzbDav.Content;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import;

/// <summary>
/// Checks that articles which the .nzb lists under one number are copies of each other. Indexers also put the articles of several files into one when all have the same subject; then
/// one article must never stand in for another.
/// </summary>
internal sealed partial class CopyCheck(ImportTools tools)
{
    /// <summary>Enough to tell: articles of different files begin to differ within a few bytes.</summary>
    private const int Wanted = 2;

    /// <summary>Places that are tried, as an article of which one copy is gone tells nothing.</summary>
    private const int MostPlaces = 8;

    private const int Together = 8;

    /// <summary>Larger than any article.</summary>
    private const int WholeArticle = 16 << 20;

    /// <summary>The post, without the copies of those files where they are something else.</summary>
    public async Task<IReadOnlyList<NzbFile>> RunAsync(IReadOnlyList<NzbFile> posted, CancellationToken cancellationToken)
    {
        var doubtful = Enumerable.Range(0, posted.Count).Where(index => posted[index].Segments.Any(segment => segment.Copies > 1)).ToArray();
        if (doubtful.Length == 0)
            return posted;
        var files = posted.ToArray();
        var options = new ParallelOptions { MaxDegreeOfParallelism = Together, CancellationToken = cancellationToken };
        await Parallel.ForEachAsync(doubtful, options, async (index, token) =>
        {
            var pairs = files[index].Segments.Where(segment => segment.Copies > 1).Select(segment => ArticleIds.Split(segment.ArticleIds)).ToArray();
            if (await AreCopiesAsync(pairs, token) != false)
                return;
            LogStrangers(tools.Logger, files[index].FileName ?? files[index].Subject);
            files[index] = files[index].WithoutCopies();
        });
        return files;
    }

    /// <summary>True when articles that are there are equal, false when they differ; null when nowhere two of them are there.</summary>
    /// <param name="places">The message-ids that are said to be copies of each other, for each place in a file.</param>
    /// <param name="cancellationToken">The job was taken away.</param>
    public async Task<bool?> AreCopiesAsync(IReadOnlyList<string[]> places, CancellationToken cancellationToken)
    {
        var equal = 0;
        foreach (var place in Spread(places.Count))
        {
            switch (await AreEqualAsync(places[place], cancellationToken))
            {
                case false:
                    return false;
                case true when ++equal == Wanted:
                    return true;
            }
        }

        return equal > 0 ? true : null;
    }

    /// <summary>First, last, and some between them.</summary>
    private static IEnumerable<int> Spread(int count) =>
        new[] { 0, count - 1 }.Concat(Enumerable.Range(1, MostPlaces - 2).Select(i => (int)((long)i * (count - 1) / (MostPlaces - 1)))).Distinct();

    private async Task<bool?> AreEqualAsync(string[] ids, CancellationToken cancellationToken)
    {
        var probes = await Task.WhenAll(ids.Select(id => tools.Usenet.ProbeAsync(SegmentKey.Unknown(id), FetchPriority.Import, WholeArticle, cancellationToken)));
        var there = probes.Where(probe => probe.Header is not null).ToArray();
        if (there.Length < 2)
            return null;
        var first = there[0];
        return there[1..].All(other =>
            (other.Header!.FileSize, other.Header.Begin, other.Header.PartSize) == (first.Header!.FileSize, first.Header.Begin, first.Header.PartSize) && other.Head.Span.SequenceEqual(first.Head.Span));
    }

    [LoggerMessage(207, LogLevel.Warning, "The .nzb lists several articles under one number of {File}, and they are not copies of each other: the first of each is used.")]
    private static partial void LogStrangers(ILogger logger, string file);
}
