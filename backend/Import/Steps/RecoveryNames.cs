using System.Collections.Concurrent;
using System.Security.Cryptography;
using Microsoft.Extensions.Logging;
using NzbDav.Archives;
using NzbDav.Archives.Recovery;
using NzbDav.Content;

namespace NzbDav.Import;

/// <summary>Finds the PAR2 files of a post by their first bytes, reads what they say, and recognises the files they describe.</summary>
internal sealed partial class RecoveryNames(ImportTools tools)
{
    /// <summary>Sets of one post that are read: a season with a set per episode has some dozens.</summary>
    private const int MostSets = 1024;
    private const int Together = 16;

    /// <returns>The name that a set has for a file, with folders; not made safe.</returns>
    public async Task<StepResult<IReadOnlyDictionary<ProbedFile, string>>> ReadAsync(IReadOnlyList<ProbedFile> files, CancellationToken cancellationToken)
    {
        var names = new Dictionary<ProbedFile, string>(ReferenceEqualityComparer.Instance);
        var sets = files.Where(IsRecovery).GroupBy(SetOf, StringComparer.Ordinal).Take(MostSets).ToArray();
        if (sets.Length == 0)
            return names;
        var described = new ConcurrentDictionary<(long Length, string Hash), string>();
        ImportFailure? failure = null;
        await Parallel.ForEachAsync(sets, new ParallelOptions { MaxDegreeOfParallelism = Together, CancellationToken = cancellationToken }, async (set, token) =>
        {
            if (await ReadSetAsync(set, described, token) is { } fault)
                Interlocked.CompareExchange(ref failure, fault, null);
        });
        if (failure is not null)
            return failure;
        var lengths = described.Keys.Select(key => key.Length).ToHashSet();
        foreach (var file in files.Where(file => lengths.Contains(file.Length) && !file.IsReckoned && !IsRecovery(file)))
        {
            if (await HashAsync(file, cancellationToken) is { } hash && described.TryGetValue((file.Length, hash), out var name))
                names[file] = name;
        }

        return NameReckoned(files, [.. described.Select(one => (one.Value, one.Key.Length))], names) ? names : ImportFailure.Doubtful;
    }

    /// <summary>
    /// Names for volumes of which no byte is known. Where a set has another name in the recovery data, it is there as a whole, in the same order and with the same sizes; then each of its
    /// volumes has the name at its place.
    /// </summary>
    /// <returns>False when the recovery data contradict what was reckoned.</returns>
    private static bool NameReckoned(IReadOnlyList<ProbedFile> files, IReadOnlyList<(string Name, long Length)> described, Dictionary<ProbedFile, string> names)
    {
        var all = VolumeSeries.Find([.. described.Select(one => one.Name)]);
        var lengths = described.DistinctBy(one => one.Name, StringComparer.Ordinal).ToDictionary(one => one.Name, one => one.Length, StringComparer.Ordinal);
        foreach (var series in files.Where(file => file.Series is not null).GroupBy(file => file.Series!))
        {
            var volumes = series.OrderBy(file => file.SeriesPlace).ToArray();
            var told = volumes.Where(names.ContainsKey).ToArray();
            if (told.Length == 0)
            {
                // What goes by the names of the subjects must have the sizes that were reckoned.
                if (volumes.Any(file => lengths.TryGetValue(file.Posted.FileName!, out var length) && length != file.Length))
                    return false;
                continue;
            }

            var set = all.FirstOrDefault(set => set.Count == volumes.Length && set.Any(index => string.Equals(described[index].Name, names[told[0]], StringComparison.Ordinal)));
            if (set is null)
                return false;
            for (var i = 0; i < volumes.Length; i++)
            {
                var (name, length) = described[set[i]];
                if (length != volumes[i].Length || (names.TryGetValue(volumes[i], out var own) ? !string.Equals(own, name, StringComparison.Ordinal) : !volumes[i].IsReckoned))
                    return false;
                names[volumes[i]] = name;
            }
        }

        return true;
    }

    private static bool IsRecovery(ProbedFile file) => FileSignature.Of(file.Head.Span).Type == FileType.Recovery;

    /// <summary>The set's id stands in the header of its first packet.</summary>
    private static string SetOf(ProbedFile file) => file.Head.Length >= 48 ? Convert.ToHexString(file.Head.Span.Slice(32, 16)) : "";

    /// <summary>The smallest file of a set first: each holds all descriptions, and most hold slices besides.</summary>
    private async Task<ImportFailure?> ReadSetAsync(
        IEnumerable<ProbedFile> set, ConcurrentDictionary<(long Length, string Hash), string> described, CancellationToken cancellationToken)
    {
        foreach (var file in set.OrderBy(file => file.Length).Take(3))
        {
            try
            {
                var volume = new ArchiveVolume(tools.Usenet.Open(file.Map), file.Header.Name) { Head = file.Head };
                if (await Par2Reader.ReadAsync(volume, ReadIntent.Import, cancellationToken) is not { Files.Length: > 0 } read)
                    continue;
                foreach (var one in read.Files)
                    described.TryAdd((one.Length, Convert.ToHexString(one.HeadHash.Span)), one.Name);
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
#pragma warning disable CA5351 // The format's own checksum.
        return head.Length == wanted ? Convert.ToHexString(MD5.HashData(head.Span)) : null;
#pragma warning restore CA5351
    }

    /// <summary>Of posts with very small articles, and of posts with very many files.</summary>
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

    [LoggerMessage(202, LogLevel.Warning, "{File} cannot tell names: {Reason}")]
    private static partial void LogUnreadable(ILogger logger, string file, string reason);
}
