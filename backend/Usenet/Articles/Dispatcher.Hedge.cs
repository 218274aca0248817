using NzbDav.Content;

namespace NzbDav.Usenet.Articles;

/// <summary>The article that a reader or an import waits for is asked for a second time, elsewhere, when it is late.</summary>
internal sealed partial class Dispatcher
{
    private static readonly TimeSpan WatchEvery = TimeSpan.FromMilliseconds(50);

    /// <summary>Nothing came on the connection for so long, or three round trips if those are longer.</summary>
    private static readonly TimeSpan SilenceLimit = TimeSpan.FromMilliseconds(250);

    /// <summary>Waited for so long, even if bytes trickle.</summary>
    private static readonly TimeSpan SlowLimit = TimeSpan.FromSeconds(1.5);

    /// <summary>An import has more time: a second copy takes the line from readers. Trickling bytes are waited for, the connection sees to them.</summary>
    private static readonly TimeSpan ImportSilenceLimit = TimeSpan.FromSeconds(1);

    /// <summary>Second copies for imports at one time: those of a few connections that fell silent. When all of a provider did, asking again is no help.</summary>
    private const int MaxImportHedges = 16;

    private int _importHedges;

    private void WatchLocked(ArticleFetch fetch)
    {
        if (fetch.Watched || fetch.Ended || fetch.Hedged || fetch.Priority is not (FetchPriority.Waiting or FetchPriority.Import))
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
                if (!fetch.Ended && !fetch.Hedged && fetch is { OnWire: { } request, Active: 1, Queued: null } && MayHedge(fetch) && IsLate(request, fetch.Priority))
                {
                    fetch.Hedged = true;
                    fetch.HedgedForImport = fetch.Priority == FetchPriority.Import;
                    _importHedges += fetch.HedgedForImport ? 1 : 0;
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

    private bool MayHedge(ArticleFetch fetch) => fetch.Priority != FetchPriority.Import || _importHedges < MaxImportHedges;

    private bool IsLate(ArticleRequest request, FetchPriority priority)
    {
        var connection = request.Connection!;
        if (request.SentAt == 0)
            return false;
        var silent = _time.GetElapsedTime(Math.Max(connection.LastActivity, request.SentAt));
        var roundTrip = connection.Provider.RoundTrip;
        var limit = priority == FetchPriority.Import ? ImportSilenceLimit : SilenceLimit;
        if (silent > (roundTrip * 3 > limit ? roundTrip * 3 : limit))
            return true;
        return priority != FetchPriority.Import && _time.GetElapsedTime(request.SentAt) > SlowLimit + roundTrip;
    }
}
