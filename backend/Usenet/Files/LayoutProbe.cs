using System.Globalization;
using NzbDav.Content;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Files;

/// <summary>
/// Finds out where each article of a posted file begins. Nearly all posts are regular (every part but the last of one size), which the
/// first and the last article prove. Where they do not fit together, the irregular places are found by bisection, so that a post with k odd
/// parts of n costs about k·log n articles. If the .nzb lists the articles out of order, all are read, as only their headers give the
/// order; a reversed list is recognised by its ends. One instance per file; not thread-safe.
/// </summary>
internal sealed class LayoutProbe(IArticles articles, IReadOnlyList<string> ids, FetchPriority priority)
{
    /// <summary>Most articles to read for sorting: a film of 14 GB has that many.</summary>
    private const int MostSorted = 20_000;

    /// <summary>Articles requested at a time while sorting.</summary>
    private const int ProbeBatchSize = 16;

    private readonly ArticleHeader?[] _headers = new ArticleHeader?[ids.Count];
    private readonly int[] _sizes = new int[ids.Count];
    private ArticleProbe? _failure;

    private (int Index, int Count)? _gap;

    /// <summary>Bytes of the whole file; −1: not known.</summary>
    private long _size;

    /// <summary>
    /// True once it is known that the places of all articles are counted from 0 (<see cref="ArticleHeader.IsFromZero"/>).
    /// </summary>
    private bool _isFromZero;

    /// <summary>
    /// False when the articles are a run from the middle of a posted file: it may begin and end anywhere in it, and both its ends must
    /// exist.
    /// </summary>
    public bool IsWhole { get; init; } = true;

    /// <summary>When the articles were posted (<see cref="SegmentTable.PostedDay"/>); 0: not known.</summary>
    public int PostedDay { get; init; }

    /// <summary>Number of articles of the file according to the subjects; null: they do not say.</summary>
    public int? Counted { get; init; }

    /// <summary>Results of earlier requests, by index: these articles are not requested again, not even missing ones.</summary>
    public IReadOnlyDictionary<int, ArticleProbe> EarlierProbes { get; init; } = new Dictionary<int, ArticleProbe>();

    /// <summary>True when the articles are in the order of their places already.</summary>
    private bool IsSorted { get; init; }

    /// <param name="known">Headers that were seen already, by index; may be empty.</param>
    /// <param name="cancellationToken">Fires when the answer is no longer wanted.</param>
    /// <returns>The layout; its articles are in the order of their places, whatever the order of the ids.</returns>
    public async Task<PostLayout> RunAsync(IReadOnlyDictionary<int, ArticleHeader> known, CancellationToken cancellationToken)
    {
        if (ids.Count == 0)
            return Failed(ContentFault.Missing, "The file has no articles.");
        foreach (var (index, header) in known)
            _headers[index] = header;

        await Task.WhenAll(ProbeAsync(0, cancellationToken), ProbeAsync(ids.Count - 1, cancellationToken));
        if (_failure is { Fault: ContentFault.Unavailable })
            return Failed(_failure.Fault, _failure.Reason!);
        if (_headers[0] is { IsFromZero: true } counted && ids.Count > 1)
            await AlignAsync(counted, cancellationToken);
        if (IsReversed()
            && await SortedAsync([.. Enumerable.Range(0, ids.Count).Reverse()], cancellationToken) is { Segments: not null } reversed)
            return reversed;
        var layout = await RunInOrderAsync(cancellationToken);
        return layout.Segments is null && layout.Fault != ContentFault.Unavailable && IsOutOfOrder()
            ? await SortAsync(cancellationToken)
            : layout;
    }

    private async Task<PostLayout> RunInOrderAsync(CancellationToken cancellationToken)
    {
        var last = ids.Count - 1;

        // One end may be missing: its place follows from the other articles if the post is regular.
        var first = _headers[0] ?? await FirstKnownAsync(cancellationToken);
        if (first is null)
            return Failed(_failure!.Fault, _failure.Reason!);
        if (TrueSize(first) is not { } size)
            return Failed(ContentFault.Missing, DescribeMissingEnd(first));
        _size = size;
        return Fault(first) is { } fault ? Failed(ContentFault.Corrupt, fault) : await LayOutAsync(first, last, cancellationToken);
    }

    private async Task<PostLayout> LayOutAsync(ArticleHeader any, int last, CancellationToken cancellationToken)
    {
        var total = _size;
        var first = _headers[0];
        var end = _headers[last];
        if (!IsWhole && (first is null || end is null))
            return Failed(_failure!.Fault, _failure.Reason!);
        if (end is null)
        {
            // The last article is missing. Its size is known if all others have one size.
            var rest = total - ((long)any.PartSize * last);
            if (rest < 1 || rest > any.PartSize)
                return Failed(_failure!.Fault, $"{_failure.Reason} Its place cannot be told from the others.");
            end = new ArticleHeader(any.Name, total, last + 1, ids.Count, (long)any.PartSize * last, (int)rest);
        }

        if (first is null)
        {
            // The first article is missing. Its size is known if the others have one size.
            if (any.Begin % any.PartSize != 0)
                return Failed(_failure!.Fault, $"{_failure.Reason} Its size cannot be told from the others.");
            first = new ArticleHeader(any.Name, total, 1, ids.Count, 0, ids.Count == 1 ? (int)total : any.PartSize);
        }

        if (IsWhole && first.Begin != 0)
        {
            NoteGap(0, first.Part - 1, first.Begin, first.PartSize);
            return Failed(ContentFault.Missing, string.Create(CultureInfo.InvariantCulture,
                $"The NZB lacks the beginning of '{any.Name}': its first article begins at byte {first.Begin}."));
        }

        if (IsWhole && end.End != total)
        {
            NoteGap(ids.Count, end.TotalParts - end.Part, total - end.End, first.PartSize);
            return Failed(ContentFault.Missing, Incomplete(any, end.End));
        }

        _headers[0] = first;
        _headers[last] = end;
        _sizes[0] = first.PartSize;
        _sizes[last] = end.PartSize;
        if (await ResolveAsync(0, last, cancellationToken) is { } fault)
            return fault;

        var table = new SegmentTable.Builder { PostedDay = PostedDay };
        var begin = first.Begin;
        for (var i = 0; i < ids.Count; i++)
        {
            table.Add(ids[i], begin, _sizes[i]);
            begin += _sizes[i];
        }

        return new PostLayout(table.Build(), first, Fault: null, Reason: null);
    }

    /// <summary>Determines the sizes between two known articles; null when it worked.</summary>
    private async Task<PostLayout?> ResolveAsync(int low, int high, CancellationToken cancellationToken)
    {
        if (low == high)
            return null;
        var before = _headers[low]!;
        var after = _headers[high]!;
        var expected = before.Begin + ((long)before.PartSize * (high - low));
        var odd = FindMismatchBetween(low, high, before);
        if (after.Begin == expected && odd < 0)
        {
            for (var i = low; i < high; i++)
                _sizes[i] = before.PartSize;
            return null;
        }

        if (high == low + 1 && after.Begin < expected)
        {
            return Failed(ContentFault.Missing, string.Create(
                CultureInfo.InvariantCulture,
                $"The NZB does not fit together for '{before.Name}': article {low + 1} ends at byte {expected} and article {high + 1} " +
                $"begins at {after.Begin} already."));
        }

        if (high == low + 1)
        {
            NoteGap(high, after.Part - before.Part - 1, after.Begin - expected, before.PartSize);
            return Failed(ContentFault.Missing, string.Create(
                CultureInfo.InvariantCulture,
                $"The NZB does not hold all of '{before.Name}': article {low + 1} ends at byte {expected} and article {high + 1} begins " +
                $"at {after.Begin}."));
        }

        var middle = odd >= 0 ? odd : low + ((high - low) / 2);
        await ProbeAsync(middle, cancellationToken);
        if (_headers[middle] is not { } header)
            return Failed(
                _failure!.Fault, $"The post is irregular, and an article that would tell its layout cannot be had: {_failure.Reason}");
        if (Fault(header) is { } fault)
            return Failed(ContentFault.Corrupt, fault);
        _sizes[middle] = header.PartSize;
        return await ResolveAsync(low, middle, cancellationToken) ?? await ResolveAsync(middle, high, cancellationToken);
    }

    /// <summary>An article whose header is known and that does not fit a regular post; −1 when there is none.</summary>
    private int FindMismatchBetween(int low, int high, ArticleHeader before)
    {
        for (var i = low + 1; i < high; i++)
        {
            if (_headers[i] is { } header
                && (header.PartSize != before.PartSize || header.Begin != before.Begin + ((long)before.PartSize * (i - low))))
                return i;
        }

        return -1;
    }

    private async Task<ArticleHeader?> FirstKnownAsync(CancellationToken cancellationToken)
    {
        // A few at the front, then the middle: enough to tell a post with a hole from a missing one.
        foreach (var index in new[] { 1, 2, ids.Count / 2 }.Where(index => index < ids.Count - 1).Distinct())
        {
            await ProbeAsync(index, cancellationToken);
            if (_headers[index] is { } header)
                return header;
        }

        return _headers[^1] is { Begin: 0 } only ? only : null;
    }

    private async Task ProbeAsync(int index, CancellationToken cancellationToken)
    {
        if (_headers[index] is not null)
            return;
        var probe = EarlierProbes.TryGetValue(index, out var asked) ? asked : await articles.ProbeAsync(
            SegmentKey.Unknown(ids[index]) with { PostedDay = PostedDay }, priority, headBytes: 0, cancellationToken);
        if (probe.Header is { } header)
            _headers[index] = _isFromZero ? header.FromZero() : header;
        else if (_failure is not { Fault: ContentFault.Unavailable })
            _failure = probe;
    }

    /// <summary>
    /// Size of the file according to the headers. The end of the last article instead, if its header says that it is the last part of as
    /// many as there are articles (some posters write a wrong size into every header), or if size and total are made up. Null if they are
    /// made up and nothing else shows that the last article ends the file.
    /// </summary>
    private long? TrueSize(ArticleHeader first)
    {
        if (!IsWhole || _headers[^1] is not { } end)
            return first.FileSize;

        // An article that names no part is the whole file, whatever size its header gives.
        if (ids.Count == 1 && end is { Part: 0, TotalParts: 0 } && Counted is null or 1)
            return end.End;
        if (first.FileSize == end.End || end.FileSize == end.End || (end.Part == ids.Count && end.TotalParts == ids.Count))
            return end.End;
        var isMadeUp = ids.Count == 1 ? first.HasFakeTotals : first.IsContradictory || end.IsContradictory
            || (first.FileSize, first.TotalParts) != (end.FileSize, end.TotalParts);
        if (!isMadeUp || (end.Part > 0 && end.Part < ids.Count))
            return first.FileSize;
        return ids.Count == 1 || end.PartSize < first.PartSize || Counted == Math.Max(ids.Count, end.Part) ? end.End : null;
    }

    private string? Fault(ArticleHeader header) =>
        _size < 0 ? $"The yEnc header of '{header.Name}' does not say how big the file is."
        : IsWhole && header.End > _size ? $"The yEnc header of '{header.Name}' says that a part ends after the file does."
        : null;

    private string DescribeMissingEnd(ArticleHeader header) => string.Create(
        CultureInfo.InvariantCulture,
        $"The NZB does not seem to hold all of '{header.Name}': its {ids.Count} articles end at byte {_headers[^1]!.End}, "
        + $"the last is as big as the others, and the sizes in their headers are made up.");

    private string Incomplete(ArticleHeader header, long held) => string.Create(
        CultureInfo.InvariantCulture,
        $"The NZB does not hold all of '{header.Name}': its {ids.Count} articles end at byte {held} of " +
        $"{_size}{(header.TotalParts > ids.Count ? $", the post has {header.TotalParts}" : "")}.");

    /// <summary>Notes where articles are missing from the list.</summary>
    /// <param name="index">Index of the article after them.</param>
    /// <param name="parts">How many are missing by the numbers of the parts; less than 1 if these do not say.</param>
    /// <param name="bytes">Their decoded bytes.</param>
    /// <param name="size">Bytes of an article before them.</param>
    private void NoteGap(int index, int parts, long bytes, int size)
    {
        var count = parts > 0 ? parts : (bytes + size - 1) / size;
        if (!IsSorted && bytes > 0 && count <= ids.Count)
            _gap = (index, (int)count);
    }

    private PostLayout Failed(ContentFault? fault, string reason) =>
        new(Segments: null, _headers.FirstOrDefault(), fault, reason) { Gap = _gap };

    // Articles that count their bytes from 0, and lists in which the articles are out of order.

    /// <summary>
    /// Handles a first article that counts its bytes from 0 instead of 1. If the others do so too, each begins one byte later than its
    /// header was taken to say; some posters count so in the first article alone.
    /// </summary>
    private async Task AlignAsync(ArticleHeader first, CancellationToken cancellationToken)
    {
        await ProbeAsync(1, cancellationToken);
        var isAll = _headers[1] is { } second ? second.Begin == first.PartSize - 1 || second is { IsFromZero: true, Begin: > 0 }
            : _headers[^1] is { } end && (end.IsFromZero || end.End == first.FileSize - 1);
        if (!isAll)
            return;
        _isFromZero = true;
        for (var i = 1; i < _headers.Length; i++)
            _headers[i] = _headers[i]?.FromZero();
    }

    /// <summary>True if the last listed article is the file's first, and the first listed one its last.</summary>
    private bool IsReversed() =>
        IsWhole && !IsSorted && _headers[^1] is { Begin: 0 } last && _headers[0] is { Begin: > 0 } first
        && first.Part - last.Part == (first.Part > 0 ? ids.Count - 1 : 0);

    /// <summary>
    /// True if the known headers show that the list is out of order. Where an article is missing from the list, the part numbers grow
    /// faster than the index; out of order, they somewhere grow more slowly.
    /// </summary>
    private bool IsOutOfOrder()
    {
        if (IsSorted || ids.Count > MostSorted)
            return false;
        var known = Enumerable.Range(0, ids.Count).Where(index => _headers[index] is not null).ToArray();
        return known.Zip(known.Skip(1)).Any(pair =>
        {
            var (one, next) = (_headers[pair.First]!, _headers[pair.Second]!);
            return next.Begin <= one.Begin || (one.Part > 0 && next.Part > 0 && next.Part - one.Part < pair.Second - pair.First);
        });
    }

    /// <summary>Reads all articles and lays them out in the order of their places.</summary>
    private async Task<PostLayout> SortAsync(CancellationToken cancellationToken)
    {
        var parallel = new ParallelOptions { MaxDegreeOfParallelism = ProbeBatchSize, CancellationToken = cancellationToken };
        await Parallel.ForAsync(0, ids.Count, parallel, async (index, token) => await ProbeAsync(index, token));
        if (_failure is { Fault: ContentFault.Unavailable })
            return Failed(_failure.Fault, _failure.Reason!);
        var all = Enumerable.Range(0, ids.Count).ToLookup(index => _headers[index] is not null);
        var present = all[true].OrderBy(index => _headers[index]!.Begin).ToArray();
        var first = _headers[present[0]]!;
        if (first.IsFromZero && present.Length > 1 && _headers[present[1]]!.Begin == first.PartSize - 1)
        {
            foreach (var index in present)
                _headers[index] = _headers[index]!.FromZero();
        }

        // Missing articles are interchangeable: any of them can fill any hole.
        var absent = new Queue<int>(all[false]);
        var order = new List<int>(ids.Count);
        var end = IsWhole ? 0 : first.Begin;
        foreach (var index in present)
        {
            for (; end < _headers[index]!.Begin && absent.TryDequeue(out var gone); end += first.PartSize)
                order.Add(gone);
            order.Add(index);
            end = _headers[index]!.End;
        }

        order.AddRange(absent);
        return await SortedAsync(order, cancellationToken);
    }

    /// <summary>Lays the articles out in another order.</summary>
    private Task<PostLayout> SortedAsync(List<int> order, CancellationToken cancellationToken)
    {
        var (asked, known) = (new Dictionary<int, ArticleProbe>(), new Dictionary<int, ArticleHeader>());
        for (var place = 0; place < order.Count; place++)
        {
            if (_headers[order[place]] is { } header)
                known.Add(place, header);
            else if (EarlierProbes.TryGetValue(order[place], out var probe))
                asked.Add(place, probe);
        }

        return new LayoutProbe(articles, order.ConvertAll(index => ids[index]), priority)
        {
            IsWhole = IsWhole,
            PostedDay = PostedDay,
            Counted = Counted,
            EarlierProbes = asked,
            IsSorted = true,
        }.RunAsync(known, cancellationToken);
    }
}

/// <summary>Where the articles of one posted file lie in it; or why that cannot be determined.</summary>
/// <param name="Segments">Null on failure.</param>
/// <param name="Header">The header of the first article that could be fetched; null when none could.</param>
/// <param name="Fault">The kind of failure; null on success.</param>
/// <param name="Reason">The same as text.</param>
public sealed record PostLayout(SegmentTable? Segments, ArticleHeader? Header, ContentFault? Fault, string? Reason)
{
    /// <summary>
    /// Where the .nzb lacks articles of the file: the index of the article after the gap (the number of articles for a gap at the end), and
    /// how many are missing, as far as the others show. Null otherwise.
    /// </summary>
    public (int Index, int Count)? Gap { get; init; }
}
