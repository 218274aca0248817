using NzbDav.Api.QBittorrent.Listing;
using NzbDav.Api.QBittorrent.Routing;

namespace NzbDav.Api.QBittorrent.Calls;

/// <summary>Web seeds and certificates of torrents. The engine supports neither: a torrent has none, and none can be added.</summary>
internal sealed class WebSeedCalls(QbitList list) : IQbitCalls
{
    private const string None = "NzbDav does not fetch from web seeds.";

    public IEnumerable<QbitRoute> Routes =>
    [
        QbitRoute.Read("torrents/webseeds", (call, cancellationToken) => OfAsync(call, QbitReply.Json(Array.Empty<string>()), cancellationToken), "hash"),
        QbitRoute.Change("torrents/addWebSeeds", (call, cancellationToken) => OfAsync(call, QbitReply.Conflict(None), cancellationToken), "hash", "urls"),
        QbitRoute.Change("torrents/editWebSeed", (call, cancellationToken) => OfAsync(call, QbitReply.Conflict(None), cancellationToken), "hash", "origUrl", "newUrl"),
        QbitRoute.Change("torrents/removeWebSeeds", (call, cancellationToken) => OfAsync(call, QbitReply.Done, cancellationToken), "hash", "urls"),
        QbitRoute.Read("torrents/SSLParameters", (call, cancellationToken) => OfAsync(call, NoCertificate(), cancellationToken), "hash"),

        // qBittorrent's answer to an invalid set of parameters.
        QbitRoute.Change("torrents/setSSLParameters", (call, cancellationToken) => OfAsync(call, QbitReply.Error(415), cancellationToken), "hash", "ssl_certificate", "ssl_private_key", "ssl_dh_params"),
    ];

    private static QbitReply NoCertificate() => QbitReply.Json(new SortedDictionary<string, string>(StringComparer.Ordinal) { ["ssl_certificate"] = "", ["ssl_dh_params"] = "", ["ssl_private_key"] = "" });

    /// <summary>An answer about one torrent; 404 if there is none.</summary>
    private async ValueTask<QbitReply> OfAsync(QbitCall call, QbitReply reply, CancellationToken cancellationToken) =>
        await list.FindAsync(call.Hash(), cancellationToken) is null ? QbitReply.NotFound() : reply;
}
