using NzbDav.Api.QBittorrent.Routing;

namespace NzbDav.Api.QBittorrent.Calls;

/// <summary><c>search/*</c>: answers like a qBittorrent without plugins, on a machine without the program that searches need.</summary>
internal sealed class SearchCalls : IQbitCalls
{
    private const string None = "NzbDav has no search engine: use Prowlarr.";

    public IEnumerable<QbitRoute> Routes =>
    [
        QbitRoute.Read("search/plugins", static (_, _) => new(QbitReply.Json(Array.Empty<string>()))),
        QbitRoute.Read("search/status",
            static (call, _) => new(call.Number("id") is null or 0 ? QbitReply.Json(Array.Empty<string>()) : QbitReply.NotFound())),
        QbitRoute.Read("search/results", static (_, _) => new(QbitReply.NotFound()), "id"),
        Change("start", QbitReply.Conflict(None), "pattern", "category", "plugins"),
        Change("stop", QbitReply.NotFound(), "id"),
        Change("delete", QbitReply.NotFound(), "id"),
        Change("downloadTorrent", QbitReply.Conflict(None), "torrentUrl", "pluginName"),
        Change("installPlugin", QbitReply.Conflict(None), "sources"),
        Change("uninstallPlugin", QbitReply.NotFound(), "names"),
        Change("enablePlugin", QbitReply.NotFound(), "names", "enable"),
        Change("updatePlugins", QbitReply.Done),
    ];

    private static QbitRoute Change(string name, QbitReply reply, params string[] requires) =>
        QbitRoute.Change("search/" + name, (_, _) => new(reply), requires);
}
