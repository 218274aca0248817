using Microsoft.Extensions.Logging;
using NzbDav.Content;
using NzbDav.Import.Options;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import.Probing;

/// <summary>
/// Checks that articles which the .nzb lists under one number are copies of each other. Indexers also merge the articles of several files
/// into one file if all have the same subject. Such articles must never replace each other.
/// </summary>
internal sealed partial class CopyCheck(ImportTools tools)
{
    /// <summary>
    /// Number of equal places that proves the files to be copies: articles of different files differ within the first few bytes.
    /// </summary>
    private const int MinEqualPlaces = 2;

    /// <summary>Most places tried: a place where only one copy exists proves nothing.</summary>
    private const int MostPlaces = 8;

    private const int MaxAtOnce = 8;

    /// <summary>Larger than any article.</summary>
    private const int WholeArticle = 16 << 20;

    /// <summary>Returns the post. Files whose listed copies turn out to be different articles lose those copies.</summary>
    public async Task<IReadOnlyList<NzbFile>> RunAsync(IReadOnlyList<NzbFile> posted, CancellationToken cancellationToken)
    {
        var doubtful = Enumerable.Range(0, posted.Count).Where(index => posted[index].Segments.Any(segment => segment.Copies > 1))
            .ToArray();
        if (doubtful.Length == 0)
            return posted;
        var files = posted.ToArray();
        var options = new ParallelOptions { MaxDegreeOfParallelism = MaxAtOnce, CancellationToken = cancellationToken };
        await Parallel.ForEachAsync(doubtful, options, async (index, token) =>
        {
            var pairs = files[index].Segments.Where(segment => segment.Copies > 1).Select(segment => ArticleIds.Split(segment.ArticleIds))
                .ToArray();
            if (await AreCopiesAsync(pairs, token) != false)
                return;
            LogStrangers(tools.Logger, files[index].FileName ?? files[index].Subject);
            files[index] = files[index].WithoutCopies();
        });
        return files;
    }

    /// <summary>True if the articles that exist are equal, false if they differ; null if no place has two articles that exist.</summary>
    /// <param name="places">For each place in the file, the message-ids that are listed as copies of each other.</param>
    /// <param name="cancellationToken">Cancelled when the job is no longer claimed.</param>
    public async Task<bool?> AreCopiesAsync(IReadOnlyList<string[]> places, CancellationToken cancellationToken)
    {
        var equal = 0;
        foreach (var place in Spread(places.Count))
        {
            switch (await AreEqualAsync(places[place], cancellationToken))
            {
                case false:
                    return false;
                case true when ++equal == MinEqualPlaces:
                    return true;
            }
        }

        return equal > 0 ? true : null;
    }

    /// <summary>The first place, the last one, and some between them.</summary>
    private static IEnumerable<int> Spread(int count) =>
        new[] { 0, count - 1 }.Concat(Enumerable.Range(1, MostPlaces - 2).Select(i => (int)((long)i * (count - 1) / (MostPlaces - 1))))
            .Distinct();

    private async Task<bool?> AreEqualAsync(string[] ids, CancellationToken cancellationToken)
    {
        var probes = await Task.WhenAll(
            ids.Select(id => tools.Usenet.ProbeAsync(SegmentKey.Unknown(id), FetchPriority.Import, WholeArticle, cancellationToken)));
        var there = probes.Where(probe => probe.Header is not null).ToArray();
        if (there.Length < 2)
            return null;
        var first = there[0];
        return there[1..].All(other =>
            (other.Header!.Begin, other.Header.PartSize) == (first.Header!.Begin, first.Header.PartSize)
            && other.Head.Span.SequenceEqual(first.Head.Span));
    }

    [LoggerMessage(207, LogLevel.Warning,
        "The .nzb lists several articles under one number of {File}, and they are not copies of each other: the first of each is used.")]
    private static partial void LogStrangers(ILogger logger, string file);
}
