using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Articles;

/// <summary>Who serves: providers come and go while requests wait, and so do their connections.</summary>
internal sealed partial class Dispatcher
{
    /// <summary>True when it is known of a provider how long it keeps articles.</summary>
    private bool _keepsAges;

    /// <summary>
    /// Who serves from now on. What waits finds its way anew among them. A provider that is not among them any more ends what is on its wire and gets nothing
    /// new; each of its connections is told to quit as soon as it is idle.
    /// </summary>
    public void SetProviders(IEnumerable<Provider> providers)
    {
        Tier[] tiers =
        [
            .. providers.GroupBy(static provider => (provider.Options.Reserve, provider.Options.Priority))
                .OrderBy(static group => group.Key.Reserve).ThenBy(static group => group.Key.Priority).Select(static group => new Tier([.. group])),
        ];
        var work = new Work();
        lock (_gate)
        {
            var waiting = new List<ArticleRequest>();
            foreach (var tier in _tiers)
                TakeAllLocked(tier.Queue, waiting);
            var connections = _tiers.SelectMany(tier => tier.Connections).ToArray();
            _tiers = tiers;
            _keepsAges = Array.Exists(tiers, static tier => Array.Exists(tier.Providers, static provider => provider.Options.RetentionDays > 0));
            _missing.Clear();
            foreach (var connection in connections)
            {
                if (TierOf(connection.Provider) is { } tier)
                    tier.Connections.Add(connection);
                else
                    QuitIfIdleLocked(connection, ref work);
            }

            RouteAllLocked(waiting, ref work);
        }

        Do(work);
    }

    /// <summary>A connection is open and logged in.</summary>
    public void Add(NntpConnection connection)
    {
        var work = new Work();
        lock (_gate)
        {
            if (TierOf(connection.Provider) is { } tier)
            {
                tier.Connections.Add(connection);
                AssignLocked(tier, ref work);
            }
            else
            {
                QuitIfIdleLocked(connection, ref work);
            }
        }

        Do(work);
    }

    /// <summary>A connection ended; its requests have ended before.</summary>
    public void Remove(NntpConnection connection)
    {
        lock (_gate)
            TierOf(connection.Provider)?.Connections.Remove(connection);
    }

    /// <summary>Sends a keep-alive or a QUIT over an idle connection; nothing happens when it is not idle.</summary>
    public void Ping(NntpConnection connection, NntpCommand command)
    {
        var work = new Work();
        lock (_gate)
        {
            if (command == NntpCommand.Quit)
                QuitIfIdleLocked(connection, ref work);
            else if (connection.InFlight == 0 && !connection.IsLeaving)
                AssignLocked(connection, new ArticleRequest(command, fetch: null), ref work);
        }

        Do(work);
    }

    /// <summary>A provider's standing became worse: what waits for it finds another way, or learns that there is none.</summary>
    public void ProviderChanged(Provider provider)
    {
        var work = new Work();
        lock (_gate)
        {
            if (TierOf(provider) is not { } tier)
                return;
            tier.ComparePaces(_line.ArticleBytes);
            var waiting = new List<ArticleRequest>(tier.Queue.Count);
            TakeAllLocked(tier.Queue, waiting);
            RouteAllLocked(waiting, ref work);
        }

        Do(work);
    }

    private static void TakeAllLocked(ArticleQueue queue, List<ArticleRequest> waiting)
    {
        while (queue.Peek() is { } request)
        {
            queue.Remove(request);
            request.Fetch!.Queued = null;
            waiting.Add(request);
        }
    }

    private void RouteAllLocked(List<ArticleRequest> waiting, ref Work work)
    {
        foreach (var request in waiting)
            RouteLocked(request.Fetch!, request.Avoid, ref work, assign: false);
        foreach (var tier in _tiers)
            AssignLocked(tier, ref work);
    }

    /// <summary>Gives a connection that has room more to do; one whose provider is gone has nothing more to do.</summary>
    private void FillLocked(NntpConnection connection, ref Work work)
    {
        connection.IsSuspect = false;
        if (TierOf(connection.Provider) is { } tier)
        {
            FillLocked(tier, connection, ref work);
            HelpEarlierLocked(tier, connection, ref work);
        }
        else
        {
            QuitIfIdleLocked(connection, ref work);
        }
    }

    /// <summary>From here on it carries nothing: what came after a QUIT would never be answered (RFC 3977 §5.4).</summary>
    private void QuitIfIdleLocked(NntpConnection connection, ref Work work)
    {
        if (connection.InFlight > 0 || connection.IsLeaving)
            return;
        connection.IsLeaving = true;
        AssignLocked(connection, new ArticleRequest(NntpCommand.Quit, fetch: null), ref work);
    }

    private Tier? TierOf(Provider provider)
    {
        foreach (var tier in _tiers)
        {
            if (Array.IndexOf(tier.Providers, provider) >= 0)
                return tier;
        }

        return null;
    }
}
