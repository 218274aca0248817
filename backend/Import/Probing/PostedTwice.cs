using Microsoft.Extensions.Logging;
using NzbDav.Content;
using NzbDav.Import.Options;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import.Probing;

/// <summary>Merges files that were posted more than once into one: each article is then fetched from whichever copy has it.</summary>
internal sealed partial class PostedTwice(ImportTools tools)
{
    /// <summary>Most files of one name that are compared: a name that many files share does not make them copies.</summary>
    private const int MostFiles = ArticleIds.MostCopies;

    private readonly CopyCheck _check = new(tools);

    /// <summary>The files in their order, without those that were merged into another.</summary>
    public Task<IReadOnlyList<ProbedFile>> RunAsync(IReadOnlyList<ProbedFile> files, CancellationToken cancellationToken) => RunAsync(
        files,
        static file => file is { Set: null, Inferred: null } ? (PathOf(file), file.Map) : (null, null),
        static (first, other, map) => first with { Map = map, Head = first.Head.IsEmpty ? other.Head : first.Head },
        cancellationToken);

    /// <inheritdoc cref="RunAsync(IReadOnlyList{ProbedFile}, CancellationToken)"/>
    public Task<IReadOnlyList<PostedPart>> RunAsync(IReadOnlyList<PostedPart> parts, CancellationToken cancellationToken) => RunAsync(
        parts,
        static part => (part.Posted.FileName, part.Map),
        static (first, other, map) => first with
        {
            Map = map,
            Head = first.Head.IsEmpty ? other.Head : first.Head,
            Gone = first.Gone.Intersect(other.Gone).ToHashSet(),
            Merged = [.. first.Merged.Count > 0 ? first.Merged : [first.Posted], other.Posted],
        },
        cancellationToken);

    private async Task<IReadOnlyList<T>> RunAsync<T>(IReadOnlyList<T> files, Func<T, (string? Name, ExtentMap? Map)> describe,
        Func<T, T, ExtentMap, T> merge, CancellationToken cancellationToken)
        where T : class
    {
        var kept = files.ToList();
        foreach (var same in files.Select(file => (File: file, Look: describe(file)))
                     .Where(static one => one.Look is { Name: not null, Map: not null })
                     .GroupBy(static one => (one.Look.Name!.ToUpperInvariant(), one.Look.Map!.Segments.Count, one.Look.Map.Length),
                         static one => one.File)
                     .Where(static same => same.Skip(1).Any() && !same.Skip(MostFiles).Any())
                     .ToArray())
        {
            var first = same.First();
            foreach (var other in same.Skip(1))
            {
                var (segments, others) = (describe(first).Map!.Segments, describe(other).Map!.Segments);
                if (!AreAlike(segments, others) || await _check.AreCopiesAsync(Pairs(segments, others), cancellationToken) != true)
                    continue;
                var joined = merge(first, other, Join(segments, others));
                kept[kept.IndexOf(first)] = joined;
                kept.Remove(other);
                LogJoined(tools.Logger, describe(first).Name!.Split('\n')[0]);
                first = joined;
            }
        }

        return kept;
    }

    /// <summary>The posted name; with folders, if the articles name them: discs have the same files in several.</summary>
    private static string? PathOf(ProbedFile file) =>
        file.Posted.FileName is { } name && file.Header.Name.AsSpan().ContainsAny('/', '\\') ? $"{name}\n{file.Header.Name}"
            : file.Posted.FileName;

    private static bool AreAlike(SegmentTable one, SegmentTable other) =>
        Enumerable.Range(0, one.Count)
            .All(segment => one.Begin(segment) == other.Begin(segment) && one.Size(segment) == other.Size(segment));

    private static string[][] Pairs(SegmentTable one, SegmentTable other) =>
        [.. Enumerable.Range(0, one.Count).Select(segment => ArticleIds.Split(ArticleIds.Join(one.Id(segment), other.Id(segment))))];

    private static ExtentMap Join(SegmentTable one, SegmentTable other)
    {
        // The later day: at least one of the copies is no older than that.
        var table = new SegmentTable.Builder { PostedDay = Math.Max(one.PostedDay, other.PostedDay) };
        for (var segment = 0; segment < one.Count; segment++)
            table.Add(ArticleIds.Join(one.Id(segment), other.Id(segment)), one.Begin(segment), one.Size(segment));
        return ExtentMap.OfWholeSegments(table.Build());
    }

    [LoggerMessage(208, LogLevel.Debug, "{File} was posted more than once: all copies are used.")]
    private static partial void LogJoined(ILogger logger, string file);
}
