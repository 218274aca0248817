using NzbDav.Content;

namespace NzbDav.Usenet.Articles;

/// <summary>The article that a reader waits for is asked for a second time, elsewhere, when it is late.</summary>
internal sealed partial class Dispatcher
{
    private static readonly TimeSpan WatchEvery = TimeSpan.FromMilliseconds(50);

    /// <summary>Nothing came on the connection for so long, or three round trips if those are longer.</summary>
    private static readonly TimeSpan SilenceLimit = TimeSpan.FromMilliseconds(250);

    /// <summary>Waited for so long, even if bytes trickle.</summary>
    private static readonly TimeSpan SlowLimit = TimeSpan.FromSeconds(1.5);

    private void WatchLocked(ArticleFetch fetch)
    {
        if (fetch.Watched || fetch.Ended || fetch.Hedged || fetch.Priority != FetchPriority.Waiting)
            return;
        fetch.Watched = true;
        _watched.Add(fetch);
        if (_watched.Count == 1)
            _watch.Change(WatchEvery, WatchEvery);
    }

    private void HedgeLate()
    {
        var work = new Work();
        lock (_gate)
        {
            for (var i = _watched.Count - 1; i >= 0; i--)
            {
                var fetch = _watched[i];
                if (!fetch.Ended && !fetch.Hedged && fetch is { OnWire: { } request, Active: 1, Queued: null } && IsLate(request))
                {
                    fetch.Hedged = true;
                    _metrics.Hedged();
                    RouteLocked(fetch, avoid: request.Connection, ref work);
                }

                if (fetch.Ended || fetch.Hedged)
                {
                    fetch.Watched = false;
                    _watched.RemoveAt(i);
                }
            }

            if (_watched.Count == 0)
                _watch.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        }

        Do(work);
    }

    private bool IsLate(ArticleRequest request)
    {
        var connection = request.Connection!;
        if (request.SentAt == 0)
            return false;
        var silent = _time.GetElapsedTime(Math.Max(connection.LastActivity, request.SentAt));
        var roundTrip = connection.Provider.RoundTrip;
        var limit = roundTrip * 3 > SilenceLimit ? roundTrip * 3 : SilenceLimit;
        return silent > limit || _time.GetElapsedTime(request.SentAt) > SlowLimit + roundTrip;
    }
}
