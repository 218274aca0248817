using System.Diagnostics;
using NzbDav.Content;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Articles;

/// <summary>
/// Requests in order of priority, first come first served within a level. What a connection may carry is found without a look at what it may not: requests of a
/// level stand in one lane for each set of providers that they exclude. Not thread-safe: lives under the dispatcher's lock.
/// </summary>
internal sealed class ArticleQueue
{
    /// <summary>The lanes of each level; as many as there were different ones at a time, a few.</summary>
    private readonly List<QueueLane>[] _levels = [.. Enumerable.Range(0, (int)FetchPriority.Health + 1).Select(static _ => new List<QueueLane>())];

    private long _last;

    public int Count { get; private set; }

    public void Enqueue(ArticleRequest request)
    {
        Debug.Assert(!request.IsQueued, "queued once");
        var lane = LaneFor(request);
        request.Lane = lane;
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
        Debug.Assert(request.IsQueued, "queued");
        var lane = request.Lane!;
        if (request.Previous is null)
            lane.First = request.Following;
        else
            request.Previous.Following = request.Following;
        if (request.Following is null)
            lane.Last = request.Previous;
        else
            request.Following.Previous = request.Previous;
        request.Previous = request.Following = null;
        request.Lane = null;
        lane.Count--;
        Count--;
    }

    public void Raise(ArticleRequest request, FetchPriority priority)
    {
        Remove(request);
        request.Priority = priority;
        Enqueue(request);
    }

    /// <summary>The most urgent request, without taking it.</summary>
    public ArticleRequest? Peek()
    {
        foreach (var level in _levels)
        {
            ArticleRequest? first = null;
            foreach (var lane in level)
                first = Earlier(first, lane.First);
            if (first is not null)
                return first;
        }

        return null;
    }

    /// <summary>Takes the most urgent request that may go over this connection.</summary>
    /// <param name="connection">Which has room.</param>
    /// <param name="from">Nothing that is more urgent.</param>
    public ArticleRequest? TakeFor(NntpConnection connection, FetchPriority from = FetchPriority.Waiting)
    {
        if (Count == 0 || connection.IsClosed || connection.IsLeaving)
            return null;
        for (var level = (int)from; level < _levels.Length; level++)
        {
            ArticleRequest? first = null;
            foreach (var lane in _levels[level])
                first = Earlier(first, lane.FirstFor(connection));
            if (first is null)
                continue;
            Remove(first);
            return first;
        }

        return null;
    }

    /// <summary>Takes the most urgent request that may go over a connection of a slow provider: one that no faster one may carry, a question that carries nothing, or one with so many before it.</summary>
    /// <param name="connection">Which has room.</param>
    /// <param name="ahead">What faster connections will carry before it would come.</param>
    /// <param name="faster">Bits of the providers of these.</param>
    public ArticleRequest? TakeBehind(NntpConnection connection, int ahead, ulong faster)
    {
        if (Count == 0 || connection.IsClosed || connection.IsLeaving)
            return null;
        foreach (var level in _levels)
        {
            foreach (var lane in level)
            {
                if (lane.TakeableBehind(connection, ref ahead, faster) is not { } request)
                    continue;
                Remove(request);
                return request;
            }
        }

        return null;
    }

    private static ArticleRequest? Earlier(ArticleRequest? one, ArticleRequest? other) => one is null || (other is not null && other.Order < one.Order) ? other : one;

    private QueueLane LaneFor(ArticleRequest request)
    {
        var level = _levels[(int)request.Priority];
        QueueLane? free = null;
        foreach (var lane in level)
        {
            if (lane.Fits(request))
                return lane;
            free = lane.First is null ? lane : free;
        }

        if (free is null)
            level.Add(free = new QueueLane());
        free.Become(request);
        return free;
    }
}
