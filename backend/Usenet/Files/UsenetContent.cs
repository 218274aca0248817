using NzbDav.Content;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Files;

/// <summary>A file on Usenet. Thread-safe; costs nothing until a reader is opened.</summary>
internal sealed class UsenetContent(
    IArticles articles, ExtentMap map, Action<ExtentMap>? corrected, IInferredLayout? inferred = null) : IContent, ISegmentSource
{
    /// <summary>
    /// Smallest file, in bytes, whose tail is fetched with the head. In smaller ones the first articles nearly reach the tail.
    /// </summary>
    private const long SmallestWithTail = 32L << 20;

    /// <summary>Smallest burst, in bytes, with which the tail is fetched together with the head: twice the size of both.</summary>
    private const long TailBurst = 4L << 20;

    /// <summary>
    /// Bytes of the tail to fetch: the index of a film has 0.1 to 1 MB. Counted in bytes because the last articles of volumes are short.
    /// </summary>
    private const int TailBytes = 1 << 20;

    /// <summary>Most segments of the tail, however short they are.</summary>
    private const int MostTailSegments = 4;

    private readonly Lock _gate = new();
    private volatile ExtentMap _map = map;
    private (ExtentMap Of, Task<ExtentMap?> Task)? _correction;
    private Task<ExtentMap>? _rebuild;

    /// <summary>Null when nothing is left to prove.</summary>
    private volatile VolumeProofs? _proofs = inferred is null ? null : new VolumeProofs(articles, inferred);

    public long Length => _map.Length;

    public ExtentMap Map => _map;

    public SegmentCache Cache => articles.Cache;

    public TimeProvider Time => articles.Time;

    public ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        var reader = new SegmentPrefetcher(this, start, end, intent);
        if (start == 0 && end > 0 && intent == ReadIntent.Playback)
            FetchTail(_map);
        return reader;
    }

    public async ValueTask<ExtentMap?> CorrectAsync(ExtentMap map, int segment, SegmentFlight flight, CancellationToken cancellationToken)
    {
        if (flight.Header is not ArticleHeader header)
            return null;
        Task<ExtentMap?> correction;
        lock (_gate)
        {
            if (_map != map)
                return _map;

            // One correction for all readers that find the fault. It completes even if the reader that started it leaves.
            if (_correction is not { } current || current.Of != map || current.Task.IsCompleted)
                _correction = current = (map, RebuildMapAsync(map, segment, header));
            correction = current.Task;
        }

        return await correction.WaitAsync(cancellationToken);
    }

    public bool IsProven(ExtentMap map, int segment) => inferred is null || (map == _map && _proofs?.IsProven(segment) != false);

    public async ValueTask<ExtentMap> ProveAsync(ExtentMap map, int segment, FetchPriority priority, CancellationToken cancellationToken)
    {
        if (map != _map || _proofs is not { } proofs)
            return _map;
        if (await proofs.ProveAsync(segment, priority, cancellationToken) is not { } wrong)
            return _map;
        Task<ExtentMap> rebuild;
        lock (_gate)
        {
            // One rebuild for all readers that find the fault. It completes even if the reader that started it leaves.
            if (_proofs is null)
                return _map;
            if (_rebuild is null or { IsCompleted: true })
                _rebuild = RebuildInferredAsync(_map, wrong);
            rebuild = _rebuild;
        }

        return await rebuild.WaitAsync(cancellationToken);
    }

    /// <summary>
    /// Fetches the tail together with the head if the line is fast enough: players and media servers that begin at the head read the index
    /// at the tail next (MKV cues, MP4 moov). The tail is not kept in use: it stays in the cache if a reader requests it, and is evicted
    /// first if none does.
    /// </summary>
    private void FetchTail(ExtentMap map)
    {
        if (map.Length < SmallestWithTail || articles.Cache.Burst < TailBurst)
            return;
        var refused = new BudgetSignal(articles.Cache.Budget);
        var first = Math.Max(map.Find(map.Length - TailBytes), map.Extents.Length - MostTailSegments);
        for (var extent = first; extent < map.Extents.Length; extent++)
        {
            if (articles.Cache.TryOpen(map.Segments.Key(map.Extents[extent].Segment), FetchPriority.Next, refused, out var flight))
                articles.Cache.Close(flight);
        }

        refused.Abandon();
    }

    private async Task<ExtentMap> RebuildInferredAsync(ExtentMap map, string wrong)
    {
        await Task.Yield();
        var remade = await inferred!.RebuildMapAsync(map, wrong);
        if (remade.Length != map.Length)
            throw new ContentException(ContentFault.Corrupt, $"The file has another size than was expected: {wrong}.");
        lock (_gate)
        {
            _map = remade;
            _proofs = null;
        }

        corrected?.Invoke(remade);
        return remade;
    }

    private async Task<ExtentMap?> RebuildMapAsync(ExtentMap map, int segment, ArticleHeader header)
    {
        await Task.Yield();

        // Either the file is one whole post, or the articles are a piece of one of its posts.
        var (first, last) = MapCorrection.Neighbours(map.Segments, segment);
        var whole = map.Extents.Length == map.Segments.Count
            && (header.FileSize == map.Length || (header.IsContradictory && last - first + 1 == map.Segments.Count));
        if (whole)
            (first, last) = (0, map.Segments.Count - 1);
        var ids = new string[last - first + 1];
        for (var i = 0; i < ids.Length; i++)
            ids[i] = map.Segments.Id(first + i);
        var known = new Dictionary<int, ArticleHeader> { [segment - first] = header };
        var layout = await new LayoutProbe(articles, ids, FetchPriority.Next)
        {
            IsWhole = whole,
            PostedDay = map.Segments.PostedDay
        }.RunAsync(known, CancellationToken.None);
        if (layout.Segments is not { } segments)
            return null;
        var place = Enumerable.Range(0, ids.Length)
            .First(index => string.Equals(segments.Id(index), ids[segment - first], StringComparison.Ordinal));
        if ((segments.Begin(place) != header.Begin && segments.Begin(place) != header.FromZero().Begin)
            || segments.Size(place) != header.PartSize)
            return null;
        var correct = whole ? ExtentMap.OfWholeSegments(segments) : MapCorrection.Apply(map, first, segments);
        if (correct is null || correct.Length != map.Length)
            return null;
        lock (_gate)
            _map = correct;
        corrected?.Invoke(correct);
        return correct;
    }
}
