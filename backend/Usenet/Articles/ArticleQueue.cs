using System.Diagnostics;
using NzbDav.Content;

namespace NzbDav.Usenet.Articles;

/// <summary>
/// Requests by priority, first come first served within a level. Imports get a small share while readers want more than the connections can
/// carry. Finding the next request for a connection does not scan those that it may not carry: each level has one lane per set of excluded
/// providers. Not thread-safe: used under the dispatcher's lock.
/// </summary>
internal sealed class ArticleQueue
{
    /// <summary>
    /// A waiting import is served after this many more urgent requests: 3 % of the articles. Without a share, nothing would be imported
    /// while readers fill the line, which copying a library does for hours.
    /// </summary>
    internal const int MostBeforeImport = 32;

    /// <summary>The lanes of each level: few, one for each set of providers excluded at the same time.</summary>
    private readonly List<QueueBucket>[] _levels = [
        .. Enumerable.Range(0, (int)FetchPriority.Health + 1).Select(static _ => new List<QueueBucket>())];

    private long _last;

    /// <summary>More urgent requests taken while an import waited.</summary>
    private int _passedImports;

    public int Count { get; private set; }

    public void Enqueue(ArticleRequest request)
    {
        Debug.Assert(!request.IsQueued, "queued once");
        var level = _levels[(int)request.Priority];
        request.Bucket = BucketFor(level, request);
        var lane = level[request.Bucket];
        request.Order = ++_last;
        request.Previous = lane.Last;
        request.Following = null;
        if (lane.Last is null)
            lane.First = request;
        else
            lane.Last.Following = request;
        lane.Last = request;
        lane.Count++;
        Count++;
    }

    public void Remove(ArticleRequest request)
    {
        if (request.Priority == FetchPriority.Import)
            _passedImports = 0;
        else if (request.Priority < FetchPriority.Import
            && _levels[(int)FetchPriority.Import].Exists(static lane => lane.First is not null))
            _passedImports++;
        Unlink(request);
    }

    private void Unlink(ArticleRequest request)
    {
        Debug.Assert(request.IsQueued, "queued");
        var lane = _levels[(int)request.Priority][request.Bucket];
        if (request.Previous is null)
            lane.First = request.Following;
        else
            request.Previous.Following = request.Following;
        if (request.Following is null)
            lane.Last = request.Previous;
        else
            request.Following.Previous = request.Previous;
        request.Previous = request.Following = null;
        request.Bucket = -1;
        lane.Count--;
        Count--;
    }

    public void Raise(ArticleRequest request, FetchPriority priority)
    {
        Unlink(request);
        request.Priority = priority;
        Enqueue(request);
    }

    /// <summary>The request to serve next, without taking it.</summary>
    public ArticleRequest? Peek()
    {
        for (var rank = 0; rank < _levels.Length; rank++)
        {
            if (FirstOf(LevelAt(rank)) is { } first)
                return first;
        }

        return null;
    }

    /// <summary>The most urgent request of readers, without taking it.</summary>
    public ArticleRequest? PeekReader()
    {
        for (var level = FetchPriority.Waiting; level <= FetchPriority.Next; level++)
        {
            if (FirstOf((int)level) is { } first)
                return first;
        }

        return null;
    }

    /// <summary>Takes the first request that a connection may carry.</summary>
    /// <param name="connection">A connection with room.</param>
    /// <param name="from">Most urgent priority to consider.</param>
    public ArticleRequest? DequeueFor(DispatchConnection connection, FetchPriority from = FetchPriority.Waiting)
    {
        if (Count == 0 || connection.IsClosed || connection.IsDraining)
            return null;
        for (var rank = 0; rank < _levels.Length; rank++)
        {
            var level = LevelAt(rank);
            ArticleRequest? first = null;
            for (var lane = 0; level >= (int)from && lane < _levels[level].Count; lane++)
                first = Earlier(first, _levels[level][lane].FirstFor(connection));
            if (first is null)
                continue;
            Remove(first);
            return first;
        }

        return null;
    }

    /// <summary>
    /// Takes the most urgent request that a connection of a slow provider may carry and that suits it: one that no faster provider may
    /// carry, a STAT, or one far enough back in the queue.
    /// </summary>
    /// <param name="connection">A connection with room.</param>
    /// <param name="ahead">Requests that faster connections will carry before one on this connection would arrive.</param>
    /// <param name="faster">Bits of the faster providers.</param>
    public ArticleRequest? DequeueForSlow(DispatchConnection connection, int ahead, ulong faster)
    {
        if (Count == 0 || connection.IsClosed || connection.IsDraining)
            return null;
        foreach (var level in _levels)
        {
            foreach (var lane in level)
            {
                if (lane.FirstForSlow(connection, ref ahead, faster) is not { } request)
                    continue;
                Remove(request);
                return request;
            }
        }

        return null;
    }

    /// <summary>The level to serve at a rank. Imports come first once enough other requests have passed them.</summary>
    private int LevelAt(int rank)
    {
        if (_passedImports < MostBeforeImport || rank > (int)FetchPriority.Import)
            return rank;
        return rank == 0 ? (int)FetchPriority.Import : rank - 1;
    }

    private ArticleRequest? FirstOf(int level)
    {
        ArticleRequest? first = null;
        foreach (var lane in _levels[level])
            first = Earlier(first, lane.First);
        return first;
    }

    private static ArticleRequest? Earlier(ArticleRequest? one, ArticleRequest? other) =>
        one is null || (other is not null && other.Order < one.Order) ? other : one;

    /// <summary>The index of the lane for a request. Lanes keep their index, and empty lanes are reused.</summary>
    private static int BucketFor(List<QueueBucket> level, ArticleRequest request)
    {
        var free = -1;
        for (var i = 0; i < level.Count; i++)
        {
            if (level[i].Fits(request))
                return i;
            free = level[i].First is null ? i : free;
        }

        if (free < 0)
        {
            free = level.Count;
            level.Add(new QueueBucket());
        }

        level[free].Become(request);
        return free;
    }
}
