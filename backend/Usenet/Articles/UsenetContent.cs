using NzbDav.Content;

namespace NzbDav.Usenet.Articles;

/// <summary>A file on Usenet. Thread-safe; costs nothing until a reader is opened.</summary>
internal sealed class UsenetContent(UsenetClient client, ExtentMap map, Action<ExtentMap>? corrected, IReckoning? reckoning = null) : IContent, ISegmentSource
{
    /// <summary>Files below this have their tail in the first articles or nearly so.</summary>
    private const long SmallestWithTail = 32L << 20;

    /// <summary>What the line must bring at once before the tail is fetched beside the head: twice both.</summary>
    private const long TailBurst = 4L << 20;

    /// <summary>An index of a film is 0.1 to 1 MB. By bytes, as the last articles of volumes are short.</summary>
    private const int TailBytes = 1 << 20;

    /// <summary>However short they are.</summary>
    private const int MostTailSegments = 4;

    private readonly Lock _gate = new();
    private volatile ExtentMap _map = map;
    private (ExtentMap Of, Task<ExtentMap?> Task)? _correction;
    private Task<ExtentMap>? _remake;

    /// <summary>Null when there is nothing (more) to prove.</summary>
    private volatile RunProofs? _proofs = reckoning is null ? null : new RunProofs(client, reckoning);

    public long Length => _map.Length;

    public ExtentMap Map => _map;

    public SegmentCache Cache => client.Cache;

    public TimeProvider Time => client.Time;

    public ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        var reader = new SegmentPrefetcher(this, start, end, intent);
        if (start == 0 && end > 0 && intent == ReadIntent.Playback)
            FetchTail(_map);
        return reader;
    }

    /// <inheritdoc/>
    public async ValueTask<ExtentMap?> CorrectAsync(ExtentMap map, int segment, SegmentFlight flight, CancellationToken cancellationToken)
    {
        if (flight.Header is not ArticleHeader header)
            return null;
        Task<ExtentMap?> correction;
        lock (_gate)
        {
            if (_map != map)
                return _map;

            // Shared by all readers that meet the fault, and carried through even if the one that began it leaves.
            if (_correction is not { } current || current.Of != map || current.Task.IsCompleted)
                _correction = current = (map, LayOutAgainAsync(map, segment, header));
            correction = current.Task;
        }

        return await correction.WaitAsync(cancellationToken);
    }

    /// <inheritdoc/>
    public bool IsProven(ExtentMap map, int segment) => reckoning is null || (map == _map && _proofs?.IsProven(segment) != false);

    /// <inheritdoc/>
    public async ValueTask<ExtentMap> ProveAsync(ExtentMap map, int segment, FetchPriority priority, CancellationToken cancellationToken)
    {
        if (map != _map || _proofs is not { } proofs)
            return _map;
        if (await proofs.ProveAsync(segment, priority, cancellationToken) is not { } wrong)
            return _map;
        Task<ExtentMap> remake;
        lock (_gate)
        {
            // Shared by all readers that meet the fault, and carried through even if the one that began it leaves.
            if (_proofs is null)
                return _map;
            if (_remake is null or { IsCompleted: true })
                _remake = RemakeAsync(_map, wrong);
            remake = _remake;
        }

        return await remake.WaitAsync(cancellationToken);
    }

    /// <summary>
    /// Players and media servers that begin at the head read the index at the tail next (MKV cues, MP4 moov): it comes meanwhile, where the
    /// line has room beside the head. Not held: it is in the cache if it is asked for, and given up first if not.
    /// </summary>
    private void FetchTail(ExtentMap map)
    {
        if (map.Length < SmallestWithTail || client.Cache.Burst < TailBurst)
            return;
        var refused = new BudgetSignal(client.Cache.Budget);
        var first = Math.Max(map.Find(map.Length - TailBytes), map.Extents.Length - MostTailSegments);
        for (var extent = first; extent < map.Extents.Length; extent++)
        {
            if (client.Cache.TryOpen(map.Segments.Key(map.Extents[extent].Segment), FetchPriority.Next, refused, out var flight))
                client.Cache.Close(flight);
        }

        refused.Abandon();
    }

    private async Task<ExtentMap> RemakeAsync(ExtentMap map, string wrong)
    {
        await Task.Yield();
        var remade = await reckoning!.LayOutAgainAsync(map, wrong);
        if (remade.Length != map.Length)
            throw new ContentException(ContentFault.Corrupt, $"The file has another size than was reckoned: {wrong}.");
        lock (_gate)
        {
            _map = remade;
            _proofs = null;
        }

        corrected?.Invoke(remade);
        return remade;
    }

    private async Task<ExtentMap?> LayOutAgainAsync(ExtentMap map, int segment, ArticleHeader header)
    {
        await Task.Yield();

        // One whole post, or a piece of one of the posts that the file runs through.
        var whole = header.FileSize == map.Length && map.Extents.Length == map.Segments.Count;
        var (first, last) = whole ? (0, map.Segments.Count - 1) : MapCorrection.Neighbours(map.Segments, segment);
        var ids = new string[last - first + 1];
        for (var i = 0; i < ids.Length; i++)
            ids[i] = map.Segments.Id(first + i);
        var known = new Dictionary<int, ArticleHeader> { [segment - first] = header };
        var layout = await new LayoutProbe(client, ids, FetchPriority.Next) { IsWhole = whole, PostedDay = map.Segments.PostedDay }.RunAsync(known, CancellationToken.None);
        if (layout.Segments is not { } segments || segments.Begin(segment - first) != header.Begin || segments.Size(segment - first) != header.PartSize)
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
