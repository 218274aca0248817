using Microsoft.Extensions.Logging;
using NzbDav.Archives.Recovery;
using NzbDav.Archives.Volumes;
using NzbDav.Content;
using NzbDav.Import.Limits;
using NzbDav.Import.Names;
using NzbDav.Import.Options;
using NzbDav.Import.Probing;
using NzbDav.Import.Progress;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import.Repair;

/// <summary>
/// Restores the articles of a post that no provider has, from its recovery data, and stores them (<see cref="PatchFolder"/>). Later readers
/// get them as if a provider had them. Reads all files that a set protects once, so it takes as long as a download.
/// </summary>
internal sealed partial class PostRepair(ImportTools tools, Action<int> progress)
{
    /// <summary>Repairs only the sets that protect this article, given as in <see cref="ArticleIds"/>; null: all sets.</summary>
    public string? Article { get; init; }

    /// <summary>False if a post has no recovery data, or repaired articles cannot be stored.</summary>
    public static bool IsPossible(ImportTools tools, NzbDocument document) => tools.Usenet.KeepsPatches && RecoveryFiles.MayBeIn(document);

    /// <param name="post">The id under which the articles are stored (see <see cref="PatchFolder.Add"/>).</param>
    /// <param name="document">The post.</param>
    /// <param name="isDamaged">True if damaged articles were seen: all files are read even if no article is gone, to find the
    /// damage.</param>
    /// <param name="cancellationToken">Cancelled when the job is no longer claimed.</param>
    /// <returns>How many articles were repaired, and why not more, as a sentence; or why that cannot be found out now.</returns>
    public async Task<StepResult<PostRepairResult>> RunAsync(
        string post, NzbDocument document, bool isDamaged, CancellationToken cancellationToken)
    {
        var surveyed = await new PostSurvey(tools) { Article = Article }.RunAsync(document, cancellationToken);
        if (!surveyed.Succeeded)
            return surveyed.Failure;
        var parts = surveyed.Value;
        if (parts.Count == 0)
            return new StepResult<PostRepairResult>(new PostRepairResult(0, Reason: null) { HasRecovery = false }, Failure: null);
        var volumes = parts.Where(static part => part.Map is not null && part.IsRecovery).OrderBy(static part => part.Length).ToArray();
        var (patched, whys) = (0, new List<string>());
        try
        {
            foreach (var set in await ReadSetsAsync(volumes, cancellationToken))
            {
                var (count, why) = await RepairAsync(post, set, volumes, [.. parts.Except(volumes)], isDamaged, cancellationToken);
                patched += count;
                if (why is not null)
                    whys.Add(why);
            }
        }
        catch (ContentException e)
        {
            return new ImportFailure(ImportFailure.Unavailable, e.Message, IsTransient: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return new ImportFailure(ImportFailure.Storage, $"The restored articles cannot be stored: {e.Message}", IsTransient: true);
        }
        catch (OutOfMemoryException e)
        {
            // The repair stayed within its own limit (RepairMemory), and something else took the rest.
            LogNoMemory(tools.Logger, e);
            return new ImportFailure(ImportFailure.Internal, "The server ran out of memory while it repaired the post.", IsTransient: true);
        }

        var result = new PostRepairResult(patched, whys.Count > 0 ? string.Join(" ", whys) : null);
        return new StepResult<PostRepairResult>(result, Failure: null);
    }

    /// <summary>
    /// Reads the usable sets. The smallest file that describes a whole set is enough; otherwise several files together may describe it.
    /// </summary>
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
            return await Par2Reader.ReadAsync(new ArchiveVolume(HolesAsZeros.Of(tools.Usenet.Open(volume.Map!), volume.Holes), volume.Name),
                ReadIntent.Import, cancellationToken);
        }
        catch (ContentException e) when (e.Fault != ContentFault.Unavailable)
        {
            LogUnreadable(tools.Logger, volume.Name, e.Message);
            return null;
        }
    }

    private async Task<(int Patched, string? Why)> RepairAsync(string post, Par2Set set, IReadOnlyList<PostedPart> volumes,
        IReadOnlyList<PostedPart> parts, bool isDamaged, CancellationToken cancellationToken)
    {
        var matched = await new PartMatch(tools).RunAsync(set, parts, cancellationToken);
        if (Article is not null && !matched.Any(file => file.Part is { } part
            && Enumerable.Range(0, part.Posted.Segments.Length).Any(segment => part.IdsOf(segment) == Article)))
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

        // Reading the set takes as long as a download, so what would be in vain is not begun.
        var kept = matched.Sum(static file => file.Part is { } part ? BytesOf(part) : 0);
        tools.Usenet.EnsurePatchRoom(kept);

        // A file outside the set whose beginning is gone may be recovery data as well.
        var doubtful = parts.Where(
            part => part is { Map: not null, Head.IsEmpty: true } && !matched.Any(file => file.Part?.Posted == part.Posted));
        var search = new SliceSearch(tools, set, [.. volumes, .. doubtful]);
        var slices = await search.FindAsync(needed, cancellationToken);
        LogBegins(tools.Logger, needed, slices.Count);
        using var room = new RepairLease(tools.Memory);
        var repair = new SetRepair(set, files, slices)
        {
            MostMemory = tools.Memory.Most,
            ReserveMemory = room.AcquireAsync,
            Scratch = bytes => tools.Usenet.OpenPatchScratch(bytes + kept),
            Progress = done => progress((int)(1000 * done)),
            FindMore = search.FindMoreAsync,
        };
        using var result = await repair.RunAsync(ReadIntent.Import, cancellationToken);
        if (result.Failure is not null)
            return (0, $"The recovery data cannot repair it: {result.Failure}");
        var patched = StorePatches(post, set, matched, result);
        LogRepaired(tools.Logger, patched, result.Missing);
        return (patched, null);
    }

    private static long MissingOf(RepairFile file, Par2Set set)
    {
        var count = (file.Described.Length + set.SliceSize - 1) / set.SliceSize;
        return file.Content is null ? count : file.Holes.SelectMany(hole => SlicesOf(hole, set)).Distinct().Count();
    }

    /// <summary>Bytes of the articles that are gone, as often as <see cref="StorePatches"/> stores them.</summary>
    private static long BytesOf(PostedPart part) => (part.Merged.Count + 1) * part.Holes.Sum(static hole => hole.Length);

    /// <summary>Stores the articles that are gone, and those in slices that proved to be damaged.</summary>
    private int StorePatches(string post, Par2Set set, IReadOnlyList<(Par2File Described, PostedPart? Part)> matched, RepairResult result)
    {
        var patched = 0;
        foreach (var file in result.Slices.GroupBy(static slice => slice.File))
        {
            if (matched[file.Key] is not (var described, { Map: { } map } part))
                continue;
            var slices = file.ToDictionary(slice => slice.Offset / set.SliceSize, static slice => slice);
            var known = part.Holes.SelectMany(hole => SlicesOf(hole, set)).ToHashSet();
            for (var segment = 0; segment < map.Segments.Count; segment++)
            {
                var (begin, size, ids) = (map.Segments.Begin(segment), map.Segments.Size(segment), map.Segments.Id(segment));
                var article = ByteSpan.OfLength(begin, size);
                long[] over = [.. SlicesOf(article, set)];
                if (!Array.TrueForAll(over, slices.ContainsKey) || ArticleIds.IsNameless(ids)
                    || !(part.Gone.Contains(segment) || Array.Exists(over, slice => !known.Contains(slice))))
                    continue;
                var bytes = new byte[size];
                foreach (var slice in over)
                {
                    var start = slice * set.SliceSize;
                    var common = article.Intersect(ByteSpan.OfLength(start, slices[slice].Length));
                    slices[slice].Read(common.Start - start, bytes.AsSpan((int)(common.Start - begin), (int)common.Length));
                }

                // The import probes merged files one by one, before it merges them again.
                var header = new ArticleHeader(described.Name, described.Length, segment + 1, map.Segments.Count, begin, size);
                foreach (var one in part.Merged.Select(copy => copy.Segments[segment].ArticleIds).Append(ids)
                    .Distinct(StringComparer.Ordinal))
                    tools.Usenet.StorePatch(post, new ArticlePatch(one, header, bytes));
                patched++;
            }
        }

        return patched;
    }

    /// <summary>Numbers of the slices of a file that have some of these bytes.</summary>
    private static IEnumerable<long> SlicesOf(ByteSpan bytes, Par2Set set)
    {
        for (var slice = bytes.Start / set.SliceSize; slice * set.SliceSize < bytes.End; slice++)
            yield return slice;
    }

    [LoggerMessage(230, LogLevel.Warning, "The recovery data in {File} cannot be used to repair its post: {Reason}")]
    private static partial void LogUnreadable(ILogger logger, string file, string reason);

    [LoggerMessage(721, LogLevel.Error, "A repair ended because the server ran out of memory.")]
    private static partial void LogNoMemory(ILogger logger, Exception e);

    [LoggerMessage(236, LogLevel.Information, "Repairing: {Missing} slices are missing, {Available} recovery slices were found so far")]
    private static partial void LogBegins(ILogger logger, long missing, int available);

    [LoggerMessage(237, LogLevel.Information, "Repaired: {Articles} articles restored from {Slices} slices")]
    private static partial void LogRepaired(ILogger logger, int articles, int slices);
}

/// <summary>The result of the repair of a post.</summary>
/// <param name="Articles">Number of repaired articles.</param>
/// <param name="Reason">Why not more, as a sentence; null if nothing is missing any more.</param>
internal sealed record PostRepairResult(int Articles, string? Reason)
{
    /// <summary>False if the post has no recovery data.</summary>
    public bool HasRecovery { get; init; } = true;
}
