using NzbDav.Archives.Recovery;
using NzbDav.Content;
using NzbDav.Import.Options;
using NzbDav.Import.Probing;

namespace NzbDav.Import.Repair;

/// <summary>
/// Matches posted files with the files of a recovery set: by their first bytes, by their names, by one slice, or as the only remaining file
/// with a length that one description has.
/// </summary>
internal sealed class PartMatch(ImportTools tools)
{
    /// <summary>Most slices read of a file: one is enough unless it is damaged or other files have the same.</summary>
    private const int MostSlices = 4;

    /// <summary>Larger slices are not read for this, in bytes: they cost too much memory.</summary>
    private const int LargestSlice = 32 << 20;

    /// <returns>The files that the set can repair, in the order of the set; with a null part if no posted file matches.</returns>
    public async Task<IReadOnlyList<(Par2File Described, PostedPart? Part)>> RunAsync(
        Par2Set set, IReadOnlyList<PostedPart> parts, CancellationToken cancellationToken)
    {
        var described = set.Recoverable.Select(id => set.Files.First(file => file.Id.Span.SequenceEqual(id.Span))).ToArray();
        var matched = new PostedPart?[described.Length];
        var left = parts.ToList();

        // STAT may confirm articles that no provider delivers intact, so a head counts only once it was read.
        var heads = new Dictionary<PostedPart, string>(ReferenceEqualityComparer.Instance);
        var lengths = described.Select(static file => file.Length).ToHashSet();
        foreach (var part in parts.Where(part => part.HasHead && lengths.Contains(part.Length)))
        {
            if (await HashAsync(part, cancellationToken) is { } head)
                heads.Add(part, head);
        }

        // Several files may begin alike, or be the same, such as copies of menus: files with matching names come first.
        var places = Enumerable.Range(0, described.Length)
            .ToLookup(index => (described[index].Length, Convert.ToHexString(described[index].HeadHash.Span)));
        foreach (var part in heads.Keys.Where(part =>
            !TryAssign(
                part,
                index => IsNamed(part, described[index].Name) || IsNamed(part, WithoutFolder(described[index].Name)))).ToArray())
            TryAssign(part, static _ => true);

        foreach (var i in Unmatched())
        {
            if (left.Find(part => IsNamed(part, described[i].Name) && MayHaveLength(part, described[i].Length)) is { } named)
                Assign(i, named);
        }

        // Posted names have no folders; those of a set may have.
        MatchOnly((part, file) => IsNamed(part, WithoutFolder(file.Name)) && MayHaveLength(part, file.Length));

        // Volumes of an archive have one length. Without a head and a name, only their bytes distinguish them.
        foreach (var part in left.Where(part => part.Map is not null && !heads.ContainsKey(part)).ToArray())
        {
            var alike = Unmatched().Where(index => described[index].Length == part.Length).ToArray();
            if (alike.Length > 0 && (alike.Length > 1 || left.Count(other => other.Length == part.Length && !heads.ContainsKey(other)) > 1)
                && await FindBySliceAsync(part, alike) is { } index)
                Take(index, part, part);
        }

        MatchOnly((part, file) => part.Length == file.Length && !heads.ContainsKey(part));
        return [.. described.Zip(matched)];

        bool TryAssign(PostedPart part, Func<int, bool> fits)
        {
            var index = places[(part.Length, heads[part])].FirstOrDefault(index => matched[index] is null && fits(index), -1);
            if (index >= 0)
                Take(index, part, part);
            return index >= 0;
        }

        // Skips parts that may be one of several files: their articles would be replaced by those of another.
        void MatchOnly(Func<PostedPart, Par2File, bool> fits)
        {
            foreach (var i in Unmatched())
            {
                if (left.Where(part => fits(part, described[i])).Take(2).ToArray() is [var only]
                    && Unmatched().Count(other => fits(only, described[other])) == 1)
                    Assign(i, only);
            }
        }

        async Task<int?> FindBySliceAsync(PostedPart part, int[] fitting)
        {
            foreach (var slice in WholeSlices(part, set.SliceSize))
            {
                if (await ReadChecksumsAsync(part, slice, (int)set.SliceSize, cancellationToken) is not { } checksums)
                    continue;
                var same = Array.FindAll(fitting, index => described[index].HasSlice(slice, checksums));
                if (same is [var only])
                    return only;
                fitting = same.Length > 0 ? same : fitting;
            }

            return null;
        }

        int[] Unmatched() => [.. Enumerable.Range(0, described.Length).Where(index => matched[index] is null)];

        void Assign(int index, PostedPart part)
        {
            if ((part.Map is null ? part.OfLength(described[index].Length) : part) is { } placed)
                Take(index, part, placed);
        }

        void Take(int index, PostedPart part, PostedPart placed)
        {
            matched[index] = placed;
            left.Remove(part);
        }
    }

    /// <summary>At most <see cref="MostSlices"/> slices without a missing article, spread over the file.</summary>
    private static IEnumerable<int> WholeSlices(PostedPart part, long size)
    {
        if (size is < 1 or > LargestSlice)
            return [];
        var holes = part.Holes;
        var whole = Enumerable.Range(0, (int)((part.Length + size - 1) / size))
            .Where(slice => !holes.Any(hole => hole.Overlaps(ByteSpan.OfLength(slice * size, size)))).ToArray();
        return Enumerable.Range(0, Math.Min(MostSlices, whole.Length))
            .Select(at => whole[(int)((long)at * whole.Length / Math.Min(MostSlices, whole.Length))]);
    }

    /// <returns>The slice's checksums; null if it cannot be read.</returns>
    private async Task<byte[]?> ReadChecksumsAsync(PostedPart part, int slice, int size, CancellationToken cancellationToken)
    {
        try
        {
            var start = (long)slice * size;
            var bytes = await ContentBytes.ReadAsync(
                tools.Usenet.Open(part.Map!), start, (int)Math.Min(size, part.Length - start), ReadIntent.Import, cancellationToken);
            Array.Resize(ref bytes, size);
            return Par2File.ChecksumsOf(bytes);
        }
        catch (ContentException e) when (e.Fault != ContentFault.Unavailable)
        {
            return null;
        }
    }

    private static bool MayHaveLength(PostedPart part, long length) => part.Length == length || part.Map is null;

    private static string WithoutFolder(string name) => name[(name.LastIndexOfAny(['/', '\\']) + 1)..];

    private static bool IsNamed(PostedPart part, string name) =>
        string.Equals(part.Name, name, StringComparison.OrdinalIgnoreCase)
            || string.Equals(part.Posted.FileName, name, StringComparison.OrdinalIgnoreCase);

    /// <returns>The hash of the file's head; null if that cannot be read.</returns>
    private async Task<string?> HashAsync(PostedPart part, CancellationToken cancellationToken)
    {
        try
        {
            return Convert.ToHexString(Par2File.HashOfHead(await ContentBytes.ReadAsync(
                tools.Usenet.Open(part.Map!), 0, (int)Math.Min(Par2File.HeadBytes, part.Length), ReadIntent.Import, cancellationToken)));
        }
        catch (ContentException e) when (e.Fault != ContentFault.Unavailable)
        {
            return null;
        }
    }
}

/// <summary>
/// Looks for the recovery slices of a set, one volume after another and only as many as needed, because each slice costs an article.
/// Recovery volumes come before other files, and large ones first, as they hold the most slices for their size. Used once.
/// </summary>
internal sealed class SliceSearch(ImportTools tools, Par2Set set, IEnumerable<PostedPart> volumes)
{
    private readonly Queue<PostedPart> _volumes = new(
        volumes.OrderByDescending(static volume => volume.IsRecovery).ThenByDescending(static volume => volume.Length));

    /// <summary>
    /// Finds as many slices as are needed, and some spare ones; or all, if there are fewer. A volume that was posted twice counts once.
    /// </summary>
    public async Task<IReadOnlyList<RecoverySlice>> FindAsync(long needed, CancellationToken cancellationToken)
    {
        var (found, exponents) = (new List<RecoverySlice>(), new HashSet<int>());
        while (exponents.Count < needed + ExtraSlices(needed) && await FindMoreAsync(cancellationToken) is { } more)
        {
            found.AddRange(more);
            exponents.UnionWith(more.Select(static slice => slice.Exponent));
        }

        return found;
    }

    /// <summary>The slices of the next volume, none if it has none; null after the last volume.</summary>
    public async Task<IReadOnlyList<RecoverySlice>?> FindMoreAsync(CancellationToken cancellationToken) =>
        _volumes.TryDequeue(out var volume)
            ? await RecoveryScan.ReadAsync(tools.Usenet.Open(volume.Map!), set, volume.Holes, ReadIntent.Import, cancellationToken) : null;

    /// <summary>
    /// Additional slices for damage that is only found when all files are read. Without them the next pass would wait for further volumes.
    /// </summary>
    private static long ExtraSlices(long needed) => Math.Max(2, needed / 10);
}
