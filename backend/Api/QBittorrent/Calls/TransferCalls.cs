using System.Globalization;
using NzbDav.Catalog;

namespace NzbDav.Api.QBittorrent;

/// <summary><c>transfer/*</c>: how fast things go.</summary>
internal sealed class TransferCalls(QbitList list, ServerState state, Live<QbitOptions> options) : IQbitCalls
{
    private const string LimitsElsewhere = "Limits are set in NzbDav itself.";

    private static readonly string[] Members = ["connection_status", "dht_nodes", "dl_info_data", "dl_info_speed", "dl_rate_limit", "last_external_address_v4", "last_external_address_v6", "up_info_data", "up_info_speed", "up_rate_limit"];

    public IEnumerable<QbitRoute> Routes =>
    [
        QbitRoute.Read("transfer/info", InfoAsync),
        QbitRoute.Read("transfer/speedLimitsMode", static (_, _) => new(QbitReply.Text("0"))),
        QbitRoute.Read("transfer/downloadLimit", (_, _) => new(Number(options.Value.DownloadLimit))),
        QbitRoute.Read("transfer/uploadLimit", (_, _) => new(Number(options.Value.UploadLimit))),
        QbitRoute.Change("transfer/setDownloadLimit", static (_, _) => new(QbitReply.Forbidden(LimitsElsewhere)), "limit"),
        QbitRoute.Change("transfer/setUploadLimit", static (_, _) => new(QbitReply.Forbidden(LimitsElsewhere)), "limit"),
        QbitRoute.Change("transfer/toggleSpeedLimitsMode", static (_, _) => new(QbitReply.Forbidden(LimitsElsewhere))),
        QbitRoute.Change("transfer/setSpeedLimitsMode", static (_, _) => new(QbitReply.Forbidden(LimitsElsewhere))),
    ];

    private static QbitReply Number(long number) => QbitReply.Text(number.ToString(CultureInfo.InvariantCulture));

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
