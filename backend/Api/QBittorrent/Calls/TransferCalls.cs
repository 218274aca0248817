using System.Globalization;
using System.Net;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Api.QBittorrent.Listing;
using NzbDav.Api.QBittorrent.Options;
using NzbDav.Api.QBittorrent.Preferences;
using NzbDav.Api.QBittorrent.Routing;
using NzbDav.Api.QBittorrent.Syncing;

namespace NzbDav.Api.QBittorrent.Calls;

/// <summary><c>transfer/*</c>: speeds, speed limits and banned peers.</summary>
internal sealed class TransferCalls(QbitList list, ServerState state, SpeedLimits limits, IServiceProvider services) : IQbitCalls
{
    private const string Limit = "limit";

    private static readonly string[] Members = ["connection_status", "dht_nodes", "dl_info_data", "dl_info_speed", "dl_rate_limit",
        "last_external_address_v4", "last_external_address_v6", "up_info_data", "up_info_speed", "up_rate_limit"];

    private readonly IQbitSettings? _settings = services.GetService<IQbitSettings>();

    public IEnumerable<QbitRoute> Routes =>
    [
        QbitRoute.Read("transfer/info", InfoAsync),
        QbitRoute.Read("transfer/speedLimitsMode", (_, _) => new(Number(limits.IsAlternative ? 1 : 0))),
        QbitRoute.Read("transfer/downloadLimit", (_, _) => new(Number(limits.Download))),
        QbitRoute.Read("transfer/uploadLimit", (_, _) => new(Number(limits.Upload))),
        QbitRoute.Change(
            "transfer/setDownloadLimit", (call, cancellationToken) => SetAsync(call, download: true, cancellationToken), Limit),
        QbitRoute.Change("transfer/setUploadLimit", (call, cancellationToken) => SetAsync(call, download: false, cancellationToken), Limit),
        QbitRoute.Change("transfer/toggleSpeedLimitsMode", (_, cancellationToken) => UseAsync(!limits.IsAlternative, cancellationToken)),
        QbitRoute.Change("transfer/setSpeedLimitsMode", (call, cancellationToken) => call.Number("mode") is { } mode
            ? UseAsync(mode != 0, cancellationToken) : new(QbitReply.BadRequest("'mode': invalid argument")), "mode"),
        QbitRoute.Change("transfer/banPeers", BanAsync, "peers"),
    ];

    private static QbitReply Number(long number) => QbitReply.Text(number.ToString(CultureInfo.InvariantCulture));

    private async ValueTask<QbitReply> SetAsync(QbitCall call, bool download, CancellationToken cancellationToken) =>
        await limits.SetAsync(download, call.Number(Limit) ?? 0, cancellationToken) is { } fault
            ? QbitReply.Conflict(fault) : QbitReply.Done;

    private async ValueTask<QbitReply> UseAsync(bool alternative, CancellationToken cancellationToken) =>
        await limits.UseAsync(alternative, cancellationToken) is { } fault ? QbitReply.Conflict(fault) : QbitReply.Done;

    /// <summary>Bans the addresses of peers permanently, each given as <c>address:port</c>. Invalid ones are skipped.</summary>
    private async ValueTask<QbitReply> BanAsync(QbitCall call, CancellationToken cancellationToken)
    {
        var peers = call.List("peers", '|').Select(static text => IPEndPoint.TryParse(text, out var peer) ? peer.Address.ToString() : null)
            .OfType<string>().ToList();
        if (peers.Count == 0 || _settings is null)
            return QbitReply.Done;
        const string Path = PreferenceRules.BannedAddresses;
        var known = new PreferenceSource(_settings.Read(), port: 0, proxy: null).List(Path);
        if (peers.All(peer => known.Contains(peer, StringComparer.OrdinalIgnoreCase)))
            return QbitReply.Done;
        var changes = new Dictionary<string, string?>(StringComparer.Ordinal) { [Path] = PreferenceRules.ListOf(known.Concat(peers)) };
        return await _settings.ChangeAsync(changes, cancellationToken) is { } fault ? QbitReply.Conflict(fault) : QbitReply.Done;
    }

    private async ValueTask<QbitReply> InfoAsync(QbitCall call, CancellationToken cancellationToken)
    {
        var all = state.Read(await list.ListAsync(cancellationToken));
        return QbitReply.Json(writer =>
        {
            writer.WriteStartObject();
            foreach (var name in Members)
                JsonValues.Write(writer, name, all[name]);
            writer.WriteEndObject();
        });
    }
}
