using NzbDav.Api.QBittorrent.Routing;

namespace NzbDav.Api.QBittorrent.Calls;

/// <summary>
/// <c>rss/*</c>: NzbDav has no feeds or rules. Reads return empty lists, removals succeed, and additions are answered with a conflict.
/// </summary>
internal sealed class RssCalls : IQbitCalls
{
    private const string None = "NzbDav reads no RSS feeds.";

    public IEnumerable<QbitRoute> Routes =>
    [
        EmptyRoute("items"),
        EmptyRoute("rules"),
        EmptyRoute("matchingArticles", "ruleName"),
        Refuse("addFolder", "path"),
        Refuse("addFeed", "url"),
        Refuse("setFeedURL", "path", "url"),
        Refuse("setFeedRefreshInterval", "path", "refreshInterval"),
        Refuse("removeItem", "path"),
        Refuse("moveItem", "itemPath", "destPath"),
        Refuse("setRule", "ruleName", "ruleDef"),
        Pass("markAsRead", "itemPath"),
        Pass("refreshItem", "itemPath"),
        Pass("renameRule", "ruleName", "newRuleName"),
        Pass("removeRule", "ruleName"),
    ];

    private static QbitRoute EmptyRoute(string name, params string[] requires) =>
        QbitRoute.Read(
            "rss/" + name, static (_, _) => new(QbitReply.Json(new Dictionary<string, object>(StringComparer.Ordinal))), requires);

    private static QbitRoute Refuse(string name, params string[] requires) =>
        QbitRoute.Change("rss/" + name, static (_, _) => new(QbitReply.Conflict(None)), requires);

    private static QbitRoute Pass(string name, params string[] requires) =>
        QbitRoute.Change("rss/" + name, static (_, _) => new(QbitReply.Done), requires);
}
