namespace NzbDav.Torrents.Connections;

/// <summary>One torrent's share of the engine's connections. Used under the manager's lock.</summary>
internal sealed class ConnectionQuota
{
    /// <summary>Connections, including those being opened.</summary>
    public int Count { get; set; }

    /// <summary>Connections being opened.</summary>
    public int Dials { get; set; }

    /// <summary>Connections about to be closed in favour of another torrent.</summary>
    public int Promised { get; set; }

    /// <summary>Connections that can be closed.</summary>
    public int Closable => Count - Dials - Promised;

    /// <summary>The torrent was refused a place that it would have taken.</summary>
    public bool Waits { get; set; }

    /// <summary>The torrent is being called about a free place.</summary>
    public bool IsCalled { get; set; }

    /// <summary>Connections of this torrent by address.</summary>
    public AddressCounts Addresses { get; } = new();

    /// <summary>Replaces its connections by newcomers.</summary>
    public Turnover Turnover { get; } = new();
}

/// <summary>
/// Limits on connections. All include connections that are being opened, except <paramref name="HalfOpen"/> and <paramref name="Dials"/>,
/// which count only those.
/// </summary>
/// <param name="Connections">Of all torrents.</param>
/// <param name="HalfOpen">Being opened, of all torrents.</param>
/// <param name="PerTorrent">Of one torrent.</param>
/// <param name="Dials">Being opened, of one torrent.</param>
internal readonly record struct ConnectionBounds(int Connections, int HalfOpen, int PerTorrent, int Dials)
{
    /// <summary>Total connections below which this torrent may get another: an eighth is reserved for urgent torrents.</summary>
    public int ConnectionsFor(bool isUrgent) => isUrgent ? Connections : Connections - (Connections / 8);

    /// <summary>Total dials below which this torrent may begin another: a quarter is reserved for urgent torrents.</summary>
    public int HalfOpenFor(bool isUrgent) => isUrgent ? HalfOpen : HalfOpen - (HalfOpen / 4);

    /// <summary>
    /// Most connections of one torrent to one /24 of IPv4. BEP 40 and this limit keep the owner of a few addresses from filling a torrent.
    /// </summary>
    public int PerNetwork => Math.Max(16, PerTorrent / 4);
}
