using NzbDav.Api.QBittorrent.Routing;
using NzbDav.Catalog.Torrents;

namespace NzbDav.Api.QBittorrent.Listing;

/// <summary>Reads share limits: -2 means as in the settings, -1 no limit. A limit that a call leaves out stays unchanged; Sonarr and older
/// clients leave out the third.</summary>
internal static class ShareLimits
{
    /// <summary>The policy that a call requests.</summary>
    /// <param name="call">With <c>ratioLimit</c>, <c>seedingTimeLimit</c> and <c>inactiveSeedingTimeLimit</c>, the times in
    /// minutes.</param>
    /// <param name="before">The policy so far.</param>
    public static TorrentPolicy Of(QbitCall call, TorrentPolicy before) => before with
    {
        Ratio = call.Decimal("ratioLimit") is { } ratio
            ? ratio <= QbitTorrent.GlobalLimit ? null : ratio < 0 ? TorrentPolicy.Unlimited : ratio : before.Ratio,
        SeedMinutes = Minutes(call.Number("seedingTimeLimit"), before.SeedMinutes),
        IdleMinutes = Minutes(call.Number("inactiveSeedingTimeLimit"), before.IdleMinutes),
    };

    private static int? Minutes(long? asked, int? before) => asked switch
    {
        null => before,
        <= QbitTorrent.GlobalLimit => null,
        < 0 => TorrentPolicy.Unlimited,
        var minutes => (int)Math.Min(minutes.Value, int.MaxValue),
    };
}
