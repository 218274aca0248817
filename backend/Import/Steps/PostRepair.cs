using Microsoft.Extensions.Logging;
using NzbDav.Archives.Recovery;
using NzbDav.Archives.Volumes;
using NzbDav.Content;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import;

/// <summary>
/// Makes the articles of a post again that no provider has, from its recovery data, and keeps them (<see cref="PatchFolder"/>): whoever reads the post after that has them as if a provider did.
/// All of what a set protects is read once, so this takes as long as a download.
/// </summary>
internal sealed partial class PostRepair(ImportTools tools, Action<int> progress)
{
    /// <summary>Only the sets that protect this article are repaired, named as <see cref="ArticleIds"/> has it; null: all are.</summary>
    public string? Article { get; init; }

    /// <summary>False when a post has no recovery data, or what is made of them cannot be kept.</summary>
    public static bool IsPossible(ImportTools tools, NzbDocument document) => tools.Usenet.KeepsPatches && Recovery.MayBeIn(document);

    /// <param name="post">Whose the articles are, for <see cref="PatchFolder.Add"/>.</param>
    /// <param name="document">The post.</param>
    /// <param name="isDamaged">Articles were damaged: all is read even if none is gone, to find out which.</param>
    /// <param name="cancellationToken">The job was taken away.</param>
    /// <returns>How many articles were made again, and why not more, in words; or why that cannot be told now.</returns>
    public async Task<StepResult<RepairOutcome>> RunAsync(string post, NzbDocument document, bool isDamaged, CancellationToken cancellationToken)
    {
        var surveyed = await new PostSurvey(tools).RunAsync(document, cancellationToken);
        if (!surveyed.Succeeded)
            return surveyed.Failure;
        var parts = surveyed.Value;
        if (parts.Count == 0)
            return new StepResult<RepairOutcome>(new RepairOutcome(0, Why: null) { HasRecovery = false }, Failure: null);
        var volumes = parts.Where(static part => part.Map is not null && part.IsRecovery).OrderBy(static part => part.Length).ToArray();
        var (made, whys) = (0, new List<string>());
        try
        {
            foreach (var set in await ReadSetsAsync(volumes, cancellationToken))
            {
                var (count, why) = await RepairAsync(post, set, volumes, [.. parts.Except(volumes)], isDamaged, cancellationToken);
                made += count;
                if (why is not null)
                    whys.Add(why);
            }
        }
        catch (ContentException e)
        {
            return new ImportFailure(ImportFailure.Unavailable, e.Message, Passing: true);
        }
        catch (IOException e)
        {
            return new ImportFailure(ImportFailure.Storage, $"What was made again from the recovery data cannot be kept: {e.Message}", Passing: true);
        }

        return new StepResult<RepairOutcome>(new RepairOutcome(made, whys.Count > 0 ? string.Join(" ", whys) : null), Failure: null);
    }

    /// <summary>The sets that can be used: the smallest file that tells all of a set will do; where none does, several together may.</summary>
    private async Task<IReadOnlyList<Par2Set>> ReadSetsAsync(IReadOnlyList<PostedPart> volumes, CancellationToken cancellationToken)
    {
        var sets = new List<Par2Set>();
        foreach (var files in volumes.GroupBy(static volume => volume.SetKey, StringComparer.Ordinal))
        {
            Par2Set? known = null;
            foreach (var volume in files)
            {
                if (await ReadSetAsync(volume, cancellationToken) is not { } read)
                    continue;
                known = known?.With(read) ?? read;
                if (SetRepair.Unusable(known) is null)
                    break;
            }

            if (known is not null && SetRepair.Unusable(known) is { } why)
                LogUnreadable(tools.Logger, files.First().Name, why);
            else if (known is not null && !sets.Exists(set => set.Id.Span.SequenceEqual(known.Id.Span)))
                sets.Add(known);
        }

        return sets;
    }

    private async Task<Par2Set?> ReadSetAsync(PostedPart volume, CancellationToken cancellationToken)
    {
        try
        {
            return await Par2Reader.ReadAsync(new ArchiveVolume(HolesAsZeros.Of(tools.Usenet.Open(volume.Map!), volume.Holes), volume.Name), ReadIntent.Import, cancellationToken);
        }
        catch (ContentException e) when (e.Fault != ContentFault.Unavailable)
        {
            LogUnreadable(tools.Logger, volume.Name, e.Message);
            return null;
        }
    }

    private async Task<(int Made, string? Why)> RepairAsync(string post, Par2Set set, IReadOnlyList<PostedPart> volumes, IReadOnlyList<PostedPart> parts, bool isDamaged, CancellationToken cancellationToken)
    {
        var matched = await new PartMatch(tools).RunAsync(set, parts, cancellationToken);
        if (Article is not null && !matched.Any(file => file.Part?.Posted.Segments.Any(segment => segment.ArticleIds == Article) == true))
            return (0, null);
        var files = new RepairFile[matched.Count];
        for (var i = 0; i < files.Length; i++)
        {
            var (described, part) = matched[i];
            files[i] = new RepairFile(described, part?.Map is { } map ? tools.Usenet.Open(map) : null, part?.Holes ?? []);
        }

        var needed = files.Sum(file => MissingOf(file, set));
        if (needed == 0 && !isDamaged)
            return (0, null);

        // A file that is none of the set and whose beginning is gone may be recovery data as well.
        var doubtful = parts.Where(part => part is { Map: not null, Head.IsEmpty: true } && !matched.Any(file => file.Part?.Posted == part.Posted));
        var slices = await FindSlicesAsync(set, [.. volumes, .. doubtful], needed, cancellationToken);
        LogBegins(tools.Logger, needed, slices.Count);
        var result = await new SetRepair(set, files, slices) { Progress = done => progress((int)(1000 * done)) }.RunAsync(ReadIntent.Import, cancellationToken);
        if (result.Failure is not null)
            return (0, $"The recovery data do not mend it: {result.Failure}");
        var made = Keep(post, set, matched, result);
        LogMade(tools.Logger, made, result.Missing);
        return (made, null);
    }

    private static long MissingOf(RepairFile file, Par2Set set)
    {
        var count = (file.Described.Length + set.SliceSize - 1) / set.SliceSize;
        return file.Content is null ? count : file.Holes.SelectMany(hole => Enumerable.Range((int)(hole.Start / set.SliceSize), (int)(((hole.End - 1) / set.SliceSize) - (hole.Start / set.SliceSize) + 1))).Distinct().Count();
    }

    /// <summary>Recovery slices of the set, and some more than are needed: a volume is looked at only while they do not suffice, the one that tells most for its size first.</summary>
    private async Task<List<RecoverySlice>> FindSlicesAsync(Par2Set set, IReadOnlyList<PostedPart> volumes, long needed, CancellationToken cancellationToken)
    {
        var found = new List<RecoverySlice>();
        foreach (var volume in volumes.OrderByDescending(static volume => volume.IsRecovery).ThenByDescending(static volume => volume.Length))
        {
            if (found.Count >= needed + Spare(needed))
                break;
            found.AddRange(await RecoveryScan.ReadAsync(tools.Usenet.Open(volume.Map!), set, volume.Holes, ReadIntent.Import, cancellationToken));
        }

        return found;
    }

    /// <summary>For damage that shows only when all is read.</summary>
    private static long Spare(long needed) => Math.Max(2, needed / 10);

    /// <summary>Keeps the articles that are gone, or that lie in what proved damaged.</summary>
    private int Keep(string post, Par2Set set, IReadOnlyList<(Par2File Described, PostedPart? Part)> matched, RepairResult result)
    {
        var made = 0;
        foreach (var file in result.Slices.GroupBy(static slice => slice.File))
        {
            if (matched[file.Key] is not (var described, { Map: { } map } part))
                continue;
            var slices = file.ToDictionary(slice => slice.Offset / set.SliceSize, static slice => slice.Bytes);
            var known = part.Holes.SelectMany(hole => Between(hole.Start, hole.End, set)).ToHashSet();
            for (var segment = 0; segment < map.Segments.Count; segment++)
            {
                var (begin, size, ids) = (map.Segments.Begin(segment), map.Segments.Size(segment), map.Segments.Id(segment));
                long[] over = [.. Between(begin, begin + size, set)];
                if (!Array.TrueForAll(over, slices.ContainsKey) || ArticleIds.IsUnlisted(ids) || !(part.Gone.Contains(segment) || Array.Exists(over, slice => !known.Contains(slice))))
                    continue;
                var bytes = new byte[size];
                foreach (var slice in over)
                {
                    var start = slice * set.SliceSize;
                    var (from, to) = (Math.Max(begin, start), Math.Min(begin + size, start + slices[slice].Length));
                    slices[slice].Span[(int)(from - start)..(int)(to - start)].CopyTo(bytes.AsSpan((int)(from - begin)));
                }

                tools.Usenet.Keep(post, new ArticlePatch(ids, new ArticleHeader(described.Name, described.Length, segment + 1, map.Segments.Count, begin, size), bytes));
                made++;
            }
        }

        return made;
    }

    private static IEnumerable<long> Between(long start, long end, Par2Set set)
    {
        for (var slice = start / set.SliceSize; slice * set.SliceSize < end; slice++)
            yield return slice;
    }

    [LoggerMessage(230, LogLevel.Warning, "{File} cannot tell how to repair its post: {Reason}")]
    private static partial void LogUnreadable(ILogger logger, string file, string reason);

    [LoggerMessage(231, LogLevel.Information, "Repairing: {Missing} slices are missing, {Available} recovery slices are there")]
    private static partial void LogBegins(ILogger logger, long missing, int available);

    [LoggerMessage(232, LogLevel.Information, "Repaired: {Articles} articles were made again, {Slices} slices")]
    private static partial void LogMade(ILogger logger, int articles, int slices);
}
