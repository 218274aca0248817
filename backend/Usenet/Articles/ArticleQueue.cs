using System.Diagnostics;
using NzbDav.Content;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Articles;

/// <summary>Requests in order of priority, first come first served within a level. Not thread-safe: lives under the dispatcher's lock.</summary>
internal sealed class ArticleQueue
{
    private readonly Level[] _levels = new Level[(int)FetchPriority.Health + 1];

    public int Count { get; private set; }

    public void Enqueue(ArticleRequest request)
    {
        Debug.Assert(!request.IsQueued, "queued once");
        ref var level = ref _levels[(int)request.Priority];
        request.Previous = level.Last;
        request.Following = null;
        if (level.Last is null)
            level.First = request;
        else
            level.Last.Following = request;
        level.Last = request;
        request.IsQueued = true;
        Count++;
    }

    public void Remove(ArticleRequest request)
    {
        Debug.Assert(request.IsQueued, "queued");
        ref var level = ref _levels[(int)request.Priority];
        if (request.Previous is null)
            level.First = request.Following;
        else
            request.Previous.Following = request.Following;
        if (request.Following is null)
            level.Last = request.Previous;
        else
            request.Following.Previous = request.Previous;
        request.Previous = request.Following = null;
        request.IsQueued = false;
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
            if (level.First is { } first)
                return first;
        }

        return null;
    }

    /// <summary>Takes the most urgent request that may go over this connection.</summary>
    public ArticleRequest? TakeFor(NntpConnection connection)
    {
        foreach (var level in _levels)
        {
            for (var request = level.First; request is not null; request = request.Following)
            {
                if (connection.MayCarry(request) && connection.HasRoomFor(request.Command))
                {
                    Remove(request);
                    return request;
                }
            }
        }

        return null;
    }

    private struct Level
    {
        public ArticleRequest? First;
        public ArticleRequest? Last;
    }
}
