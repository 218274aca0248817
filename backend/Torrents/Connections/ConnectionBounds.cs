namespace NzbDav.Torrents.Connections;

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
