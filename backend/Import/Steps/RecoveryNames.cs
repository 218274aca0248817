using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using NzbDav.Archives.Recovery;
using NzbDav.Archives.Volumes;
using NzbDav.Content;
using NzbDav.Import.Names;
using NzbDav.Import.Options;
using NzbDav.Import.Probing;
using NzbDav.Import.Progress;

namespace NzbDav.Import.Steps;

/// <summary>Finds the PAR2 files of a post by their first bytes, reads them, and recognises the files that they describe.</summary>
internal sealed partial class RecoveryNames(ImportTools tools)
{
    /// <summary>Most sets of one post that are read. A season with one set per episode has a few dozen.</summary>
    private const int MostSets = 1024;
    private const int MaxAtOnce = 16;

    /// <summary>
    /// Largest file, in bytes, that is read as a whole because several described files begin like it: playlists and menus are small.
    /// </summary>
    private const int LargestHashed = 16 << 20;

    public async Task<StepResult<DescribedPost>> ReadAsync(IReadOnlyList<ProbedFile> files, CancellationToken cancellationToken)
    {
        var names = new Dictionary<ProbedFile, DescribedFile>(ReferenceEqualityComparer.Instance);
        var sets = files.Where(IsRecovery).GroupBy(SetOf, StringComparer.Ordinal).Take(MostSets).ToArray();
        if (sets.Length == 0)
            return new DescribedPost(names, []);
        var described = new ConcurrentDictionary<(long Length, string Hash), DescribedFile[]>();
        ImportFailure? failure = null;
        await Parallel.ForEachAsync(
            sets, new ParallelOptions { MaxDegreeOfParallelism = MaxAtOnce, CancellationToken = cancellationToken }, async (set, token) =>
        {
            if (await ReadSetAsync(set, described, token) is { } fault)
                Interlocked.CompareExchange(ref failure, fault, null);
        });
        if (failure is not null)
            return failure;
        var lengths = described.Keys.Select(key => key.Length).ToHashSet();
        var recognised = new List<(ProbedFile File, DescribedFile[] Fitting)>();
        foreach (var file in files.Where(file => lengths.Contains(file.Length) && file.Inferred is null && !IsRecovery(file)))
        {
            if (await HashAsync(file, cancellationToken) is { } hash && described.TryGetValue((file.Length, hash), out var fitting))
                recognised.Add((file, fitting));
        }

        var twins = new List<(ProbedFile File, DescribedFile Described)>();
        foreach (var alike in recognised.GroupBy(one => one.Fitting, one => one.File))
            await NameAsync([.. alike], alike.Key, names, twins, cancellationToken);
        var all = described.Values.SelectMany(one => one).ToArray();
        return InferredNames.TryAdd(files, all, names)
            ? new DescribedPost(names, Absent(files, all, names, twins)) { Twins = twins }
            : ImportFailure.DoubtfulLayout;
    }

    /// <summary>
    /// Names files that begin alike. Where several descriptions fit, a posted name decides, and then the checksum of the whole file. Equal
    /// files get their names in turn; if fewer were posted than are described, one gets several names.
    /// </summary>
    private async Task NameAsync(
        ProbedFile[] files, DescribedFile[] fitting, Dictionary<ProbedFile, DescribedFile> names,
        List<(ProbedFile File, DescribedFile Described)> twins, CancellationToken cancellationToken)
    {
        if (fitting is [var only])
        {
            foreach (var file in files)
                names[file] = only;
            return;
        }

        var byHash = fitting.GroupBy(one => Convert.ToHexString(one.Hash.Span))
            .ToDictionary(same => same.Key, same => same.ToList(), StringComparer.Ordinal);
        var left = new List<ProbedFile>();
        foreach (var file in files)
        {
            var named = fitting.Where(one => IsPostedAs(file, one.Name)).ToArray();
            if (byHash.Count > 1 && named is [var known] && byHash[Convert.ToHexString(known.Hash.Span)].Remove(known))
                names[file] = known;
            else
                left.Add(file);
        }

        foreach (var same in byHash.Values)
            same.Sort((one, other) => string.CompareOrdinal(one.Name, other.Name));
        foreach (var file in left)
        {
            var hash = byHash.Count == 1 ? byHash.Keys.First() : await HashOfAllAsync(file, cancellationToken);
            if (hash is null || !byHash.TryGetValue(hash, out var same) || same.Count == 0)
                continue;
            var place = Math.Max(0, same.FindIndex(one => IsPostedAs(file, one.Name)));
            names[file] = same[place];
            if (same.Count > 1)
                same.RemoveAt(place);
        }

        foreach (var (file, one) in names.Where(pair => files.Contains(pair.Key)).ToArray())
        {
            var hash = Convert.ToHexString(one.Hash.Span);
            twins.AddRange(byHash[hash].Where(other => !names.ContainsValue(other)).Select(other => (file, other)));
            byHash[hash].Clear();
        }
    }

    private static bool IsPostedAs(ProbedFile file, string path)
    {
        var name = path[(path.LastIndexOfAny(['/', '\\']) + 1)..];
        return new[] { path, name }.Any(one =>
            string.Equals(file.Header.Name, one, StringComparison.OrdinalIgnoreCase)
                || string.Equals(file.Posted.FileName, one, StringComparison.OrdinalIgnoreCase));
    }

    /// <summary>MD5 of a whole file; null if it is too large to be read for its name, or cannot be read.</summary>
    private async Task<string?> HashOfAllAsync(ProbedFile file, CancellationToken cancellationToken)
    {
        if (file.Length > LargestHashed)
            return null;
        var bytes = await ReadHeadAsync(file, (int)file.Length, cancellationToken);
        return bytes.Length == file.Length ? Convert.ToHexString(Par2File.HashOfAll(bytes.Span)) : null;
    }

    /// <summary>Names of described files that were neither recognised nor posted under that name.</summary>
    private static string[] Absent(
        IReadOnlyList<ProbedFile> files, DescribedFile[] described, Dictionary<ProbedFile, DescribedFile> names,
        List<(ProbedFile File, DescribedFile Described)> twins)
    {
        if (names.Count == 0)
            return [];
        var there = names.Values.Concat(twins.Select(twin => twin.Described)).Select(one => one.Name)
            .Concat(files.Select(file => file.Header.Name)).Concat(files.Select(file => file.Posted.FileName))
            .ToHashSet(StringComparer.OrdinalIgnoreCase);
        return [.. described.Select(one => one.Name).Where(name => !there.Contains(name))];
    }

    private static bool IsRecovery(ProbedFile file) => FileSignature.Of(file.Head.Span).Type == FileType.Recovery;

    /// <summary>The id of the set, from the header of the file's first packet.</summary>
    private static string SetOf(ProbedFile file) => file.Head.Length >= 48 ? Convert.ToHexString(file.Head.Span.Slice(32, 16)) : "";

    /// <summary>
    /// Reads the descriptions of a set, smallest file first: each file holds all descriptions, and most files also hold slices.
    /// </summary>
    private async Task<ImportFailure?> ReadSetAsync(
        IEnumerable<ProbedFile> set, ConcurrentDictionary<(long Length, string Hash), DescribedFile[]> described,
        CancellationToken cancellationToken)
    {
        foreach (var file in set.OrderBy(file => file.Length).Take(3))
        {
            try
            {
                var volume = new ArchiveVolume(tools.Usenet.Open(file.Map), file.Header.Name) { Head = file.Head };
                if (await Par2Reader.ReadAsync(volume, ReadIntent.Import, cancellationToken) is not { Files.Length: > 0 } read)
                    continue;
                foreach (var alike in read.Files.DistinctBy(one => one.Name)
                    .GroupBy(one => (one.Length, Convert.ToHexString(one.HeadHash.Span))))
                    described.TryAdd(alike.Key, [.. alike.Select(DescribedFile.Of)]);
                if (read.IsComplete)
                    return null;
            }
            catch (ContentException e) when (e.Fault == ContentFault.Unavailable)
            {
                return ImportFailure.OfArticles(ImportFailure.Unavailable, file.Header.Name, e.Message);
            }
            catch (ContentException e)
            {
                LogUnreadable(tools.Logger, file.Header.Name, e.Message);
            }
        }

        return null;
    }

    private async Task<string?> HashAsync(ProbedFile file, CancellationToken cancellationToken)
    {
        var wanted = (int)Math.Min(Par2File.HeadBytes, file.Length);
        var head = file.Head.Length >= wanted ? file.Head[..wanted] : await ReadHeadAsync(file, wanted, cancellationToken);
        return head.Length == wanted ? Convert.ToHexString(Par2File.HashOfHead(head.Span)) : null;
    }

    /// <summary>Reads the head of a file. Needed in posts with very small articles, and in posts with very many files.</summary>
    private async Task<ReadOnlyMemory<byte>> ReadHeadAsync(ProbedFile file, int count, CancellationToken cancellationToken)
    {
        try
        {
            return await ContentBytes.ReadAsync(tools.Usenet.Open(file.Map), 0, count, ReadIntent.Import, cancellationToken);
        }
        catch (ContentException e)
        {
            LogUnreadable(tools.Logger, file.Header.Name, e.Message);
            return default;
        }
    }

    [LoggerMessage(202, LogLevel.Warning, "File names cannot be read from {File}: {Reason}")]
    private static partial void LogUnreadable(ILogger logger, string file, string reason);
}

/// <summary>A post as its recovery data describe it.</summary>
/// <param name="Names">The descriptions of the posted files that were recognised. Names may have folders and are not made safe.</param>
/// <param name="Absent">Names of described files that were not posted.</param>
internal sealed record DescribedPost(IReadOnlyDictionary<ProbedFile, DescribedFile> Names, IReadOnlyList<string> Absent)
{
    /// <summary>Further names of recognised files: the same bytes under several paths, as in the backup folder of a Blu-ray.</summary>
    public IReadOnlyList<(ProbedFile File, DescribedFile Described)> Twins { get; init; } = [];
}
