using NzbDav.Catalog.Torrents;
using NzbDav.Seeding;

namespace NzbDav.Api.Native.Torrents;

/// <summary>How a torrent is kept and seeded: its own policy, then that of its category.</summary>
internal sealed record TorrentShareBody
{
    /// <summary>All of it is downloaded and kept outside the cache.</summary>
    public bool Keep { get; init; }

    /// <summary>Why it is kept.</summary>
    public KeepCause Cause { get; init; }

    /// <summary>The limit of bytes sent per byte downloaded; null: none.</summary>
    public double? Ratio { get; init; }

    /// <summary>The limit of the minutes of seeding; null: none.</summary>
    public double? SeedMinutes { get; init; }

    /// <summary>The limit of the minutes in which nothing is sent to a peer; null: none.</summary>
    public double? IdleMinutes { get; init; }

    /// <summary>If there are limits by both ratio and time: true, both must be reached; false, one is enough.</summary>
    public bool NeedsBoth { get; init; }

    /// <summary>What happens when the limit is reached.</summary>
    public LimitAction AtLimit { get; init; }

    /// <summary>Progress towards the limit by ratio and time, 0 to 1; null: it seeds without limit.</summary>
    public double? Progress { get; init; }

    /// <summary>The settings in which it differs from its category.</summary>
    public TorrentPolicyBody Own { get; init; } = new();

    public static TorrentShareBody Of(ShelfTorrent torrent) => new()
    {
        Keep = torrent.Policy.Keep,
        Cause = torrent.Policy.Cause,
        Ratio = torrent.Policy.Ratio,
        SeedMinutes = torrent.Policy.SeedTime?.TotalMinutes,
        IdleMinutes = torrent.Policy.IdleTime?.TotalMinutes,
        NeedsBoth = torrent.Policy.NeedsBoth,
        AtLimit = torrent.Policy.AtLimit,
        Progress = torrent.Policy.ShareOf(torrent.Ratio, torrent.Totals),
        Own = TorrentPolicyBody.Of(torrent.Entry.Policy),
    };
}
