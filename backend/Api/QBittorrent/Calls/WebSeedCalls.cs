using NzbDav.Api.QBittorrent.Listing;
using NzbDav.Api.QBittorrent.Routing;
using NzbDav.Seeding;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Status;

namespace NzbDav.Api.QBittorrent.Calls;

/// <summary>
/// Web seeds and certificates of torrents. Addresses of web seeds are shown without a password or a query, which may be keys; clients may
/// name one by the address as shown or in full. Certificates are not supported.
/// </summary>
internal sealed class WebSeedCalls(QbitList list) : IQbitCalls
{
    public IEnumerable<QbitRoute> Routes =>
    [
        QbitRoute.Read("torrents/webseeds", ListAsync, "hash"),
        QbitRoute.Change("torrents/addWebSeeds", AddAsync, "hash", "urls"),
        QbitRoute.Change("torrents/editWebSeed", EditAsync, "hash", "origUrl", "newUrl"),
        QbitRoute.Change("torrents/removeWebSeeds", RemoveAsync, "hash", "urls"),
        QbitRoute.Read("torrents/SSLParameters", (call, cancellationToken) => OfAsync(call, NoCertificate(), cancellationToken), "hash"),

        // qBittorrent's answer to an invalid set of parameters.
        QbitRoute.Change("torrents/setSSLParameters", (call, cancellationToken) => OfAsync(call, QbitReply.Error(415), cancellationToken),
            "hash", "ssl_certificate", "ssl_private_key", "ssl_dh_params"),
    ];

    private static QbitReply NoCertificate() => QbitReply.Json(new SortedDictionary<string, string>(StringComparer.Ordinal)
    { ["ssl_certificate"] = "", ["ssl_dh_params"] = "", ["ssl_private_key"] = "" });

    private async ValueTask<QbitReply> ListAsync(QbitCall call, CancellationToken cancellationToken)
    {
        if (await list.FindAsync(call.Hash(), cancellationToken) is not { } torrent)
            return QbitReply.NotFound();
        var seeds = torrent.Source is null ? [] : await list.Shelf!.WebSeeds.ListAsync(torrent.Hash, cancellationToken) ?? [];
        return QbitReply.Json(writer =>
        {
            writer.WriteStartArray();
            foreach (var seed in seeds.Select(WebSeedStatus.Shown))
            {
                writer.WriteStartObject();
                writer.WriteString("url", seed);
                writer.WriteEndObject();
            }

            writer.WriteEndArray();
        });
    }

    /// <summary>Adds web seeds; existing ones are skipped.</summary>
    private ValueTask<QbitReply> AddAsync(QbitCall call, CancellationToken cancellationToken) =>
        ChangeAsync(
            call,
            call.List("urls", '|'),
            static (seeds, asked) => ([.. seeds.Union(asked.Select(Read).OfType<Uri>())], null),
            cancellationToken);

    /// <summary>Replaces a web seed by another. If that one exists already, the old one is removed.</summary>
    private ValueTask<QbitReply> EditAsync(QbitCall call, CancellationToken cancellationToken) =>
        ChangeAsync(
            call,
            [call.Text("origUrl")!, call.Text("newUrl")!],
            static (seeds, asked) =>
            {
                var wanted = Read(asked[1])!;
                if (Read(asked[0]) == wanted)
                    return (seeds, null);
                return Find(seeds, asked[0]) is { } found
                    ? ([.. seeds.Select(seed => seed == found ? wanted : seed).Distinct()], null)
                    : (seeds, $"\"{WebSeedStatus.Shown(Read(asked[0])!)}\" is not an existing URL");
            },
            cancellationToken);

    /// <summary>Removes web seeds; unknown ones are skipped.</summary>
    private ValueTask<QbitReply> RemoveAsync(QbitCall call, CancellationToken cancellationToken) =>
        ChangeAsync(
            call,
            call.List("urls", '|'),
            static (seeds, asked) => ([.. seeds.Except(asked.Select(url => Find(seeds, url)).OfType<Uri>())], null),
            cancellationToken);

    /// <summary>Changes the web seeds of one torrent. An invalid address is answered with 400, as in qBittorrent.</summary>
    /// <param name="call">Names the torrent.</param>
    /// <param name="asked">Addresses that the call names.</param>
    /// <param name="change">Returns the new web seeds for the old ones, and why they cannot be changed (null: they can). May be called more
    /// than once.</param>
    /// <param name="cancellationToken">Stops waiting for the catalog's writer.</param>
    private async ValueTask<QbitReply> ChangeAsync(
        QbitCall call,
        string[] asked,
        Func<IReadOnlyList<Uri>, string[], (IReadOnlyList<Uri> Seeds, string? Conflict)> change,
        CancellationToken cancellationToken)
    {
        if (await list.FindAsync(call.Hash(), cancellationToken) is not { } torrent)
            return QbitReply.NotFound();
        if (torrent.Source is null)
            return QbitReply.Conflict("This is an NZB job: it has no web seeds.");
        if (asked.FirstOrDefault(static url => Read(url) is null) is { } bad)
            return QbitReply.BadRequest($"\"{bad}\" is not the address of a web seed: it must begin with http:// or https://.");
        string? conflict = null;
        await list.Shelf!.WebSeeds.ChangeAsync(
            torrent.Hash,
            seeds =>
            {
                (var after, conflict) = change(seeds, asked);
                if (after.Count > Math.Max(ShelfWebSeeds.Most, seeds.Count))
                    conflict = $"A torrent can have {ShelfWebSeeds.Most} web seeds.";
                return conflict is not null || after.SequenceEqual(seeds) ? null : after;
            },
            cancellationToken);
        return conflict is null ? QbitReply.Done : QbitReply.Conflict(conflict);
    }

    /// <summary>
    /// Clients escape a whole address, because the separator can occur in it. Text that begins like an address was not escaped.
    /// </summary>
    private static Uri? Read(string url) => Metainfo.ReadWebSeed(IsPlain(url) ? url : Uri.UnescapeDataString(url));

    private static bool IsPlain(string url) =>
        url.StartsWith("http://", StringComparison.OrdinalIgnoreCase) || url.StartsWith("https://", StringComparison.OrdinalIgnoreCase);

    /// <summary>The web seed with this address: compared in full, then as shown to clients.</summary>
    private static Uri? Find(IReadOnlyList<Uri> seeds, string url) => Read(url) is { } read
        ? seeds.FirstOrDefault(seed => seed == read)
            ?? seeds.FirstOrDefault(seed => WebSeedStatus.Shown(seed) == WebSeedStatus.Shown(read) && read.Query.Length == 0)
        : null;

    /// <summary>An answer about one torrent; 404 if there is none.</summary>
    private async ValueTask<QbitReply> OfAsync(QbitCall call, QbitReply reply, CancellationToken cancellationToken) =>
        await list.FindAsync(call.Hash(), cancellationToken) is null ? QbitReply.NotFound() : reply;
}
