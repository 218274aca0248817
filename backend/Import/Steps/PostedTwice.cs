using Microsoft.Extensions.Logging;
using NzbDav.Content;
using NzbDav.Import.Sets;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import.Steps;

/// <summary>Merges files that were posted more than once into one: each article is then fetched from whichever copy has it.</summary>
internal sealed partial class PostedTwice(ImportTools tools)
{
    /// <summary>Most files of one name that are compared: a name that many files share does not make them copies.</summary>
    private const int MostFiles = ArticleIds.MostCopies;

    private readonly CopyCheck _check = new(tools);

    /// <summary>The files in their order, without those that were merged into another.</summary>
    public async Task<IReadOnlyList<ProbedFile>> RunAsync(IReadOnlyList<ProbedFile> files, CancellationToken cancellationToken)
    {
        var kept = files.ToList();
        foreach (var same in files.Where(file => file is { Posted.FileName: not null, Set: null, Inferred: null })
                     .GroupBy(file => (file.Posted.FileName!.ToUpperInvariant(), file.Map.Segments.Count, file.Length))
                     .Where(same => same.Skip(1).Any() && !same.Skip(MostFiles).Any())
                     .ToArray())
        {
            var first = same.First();
            foreach (var other in same.Skip(1))
            {
                if (!AreAlike(first.Map.Segments, other.Map.Segments) || await _check.AreCopiesAsync(Pairs(first, other), cancellationToken) != true)
                    continue;
                var joined = first with { Map = Join(first.Map.Segments, other.Map.Segments), Head = first.Head.IsEmpty ? other.Head : first.Head };
                kept[kept.IndexOf(first)] = joined;
                kept.Remove(other);
                LogJoined(tools.Logger, first.Posted.FileName!);
                first = joined;
            }
        }

        return kept;
    }

    private static bool AreAlike(SegmentTable one, SegmentTable other) =>
        Enumerable.Range(0, one.Count).All(segment => one.Begin(segment) == other.Begin(segment) && one.Size(segment) == other.Size(segment));

    private static string[][] Pairs(ProbedFile one, ProbedFile other) =>
        [.. Enumerable.Range(0, one.Map.Segments.Count).Select(segment => ArticleIds.Split(ArticleIds.Join(one.Map.Segments.Id(segment), other.Map.Segments.Id(segment))))];

    private static ExtentMap Join(SegmentTable one, SegmentTable other)
    {
        // The later day: one of the copies is no older than that.
        var table = new SegmentTable.Builder { PostedDay = Math.Max(one.PostedDay, other.PostedDay) };
        for (var segment = 0; segment < one.Count; segment++)
            table.Add(ArticleIds.Join(one.Id(segment), other.Id(segment)), one.Begin(segment), one.Size(segment));
        return ExtentMap.OfWholeSegments(table.Build());
    }

    [LoggerMessage(208, LogLevel.Debug, "{File} was posted more than once: all copies are used.")]
    private static partial void LogJoined(ILogger logger, string file);
}
