using NzbDav.Catalog;
using NzbDav.Seeding;

namespace NzbDav.Api.Native.Torrents;

/// <summary>How a torrent is kept and seeded: its own policy over that of its category.</summary>
internal sealed record TorrentShareBody
{
    /// <summary>All of it is fetched and kept outside the cache.</summary>
    public bool Keep { get; init; }

    /// <summary>Bytes sent for each byte fetched after which it has been seeded enough; null: no such limit.</summary>
    public double? Ratio { get; init; }

    /// <summary>Minutes of seeding after which it has been seeded enough; null: no such limit.</summary>
    public double? SeedMinutes { get; init; }

    /// <summary>Minutes in which no peer takes a byte, after which it has been seeded enough; null: no such limit.</summary>
    public double? IdleMinutes { get; init; }

    /// <summary>With both a ratio and a time: true, both have to be reached; false, either will do.</summary>
    public bool NeedsBoth { get; init; }

    /// <summary>What becomes of it then.</summary>
    public LimitAction AtLimit { get; init; }

    /// <summary>How far it is until then by ratio and time, 0 to 1; null: it is seeded for ever.</summary>
    public double? Progress { get; init; }

    /// <summary>Where it differs from its category.</summary>
    public TorrentPolicyBody Own { get; init; } = new();

    public static TorrentShareBody Of(ShelfTorrent torrent) => new()
    {
        Keep = torrent.Policy.Keep,
        Ratio = torrent.Policy.Ratio,
        SeedMinutes = torrent.Policy.SeedTime?.TotalMinutes,
        IdleMinutes = torrent.Policy.IdleTime?.TotalMinutes,
        NeedsBoth = torrent.Policy.NeedsBoth,
        AtLimit = torrent.Policy.AtLimit,
        Progress = torrent.Policy.ShareOf(torrent.Ratio, torrent.Totals),
        Own = TorrentPolicyBody.Of(torrent.Entry.Policy),
    };
}
