namespace NzbDav.Torrents.Connections;

/// <summary>How many connections there may be. All counts include connections that are being made, except <paramref name="HalfOpen"/> and <paramref name="Dials"/>, which count only those.</summary>
/// <param name="Connections">Of all torrents.</param>
/// <param name="HalfOpen">Being made, of all torrents.</param>
/// <param name="PerTorrent">Of one torrent.</param>
/// <param name="Dials">Being made, of one torrent.</param>
internal readonly record struct ConnectionBounds(int Connections, int HalfOpen, int PerTorrent, int Dials)
{
    /// <summary>Connections that may exist before this torrent gets another: an eighth is for torrents that somebody waits for.</summary>
    public int ConnectionsFor(bool isUrgent) => isUrgent ? Connections : Connections - (Connections / 8);

    /// <summary>Dials that may be under way before this torrent gets another: a quarter is for torrents that somebody waits for.</summary>
    public int HalfOpenFor(bool isUrgent) => isUrgent ? HalfOpen : HalfOpen - (HalfOpen / 4);

    /// <summary>Connections of one torrent to one /24 of IPv4. BEP 40 and this bound keep whoever owns a few addresses from filling a torrent.</summary>
    public int PerNetwork => Math.Max(16, PerTorrent / 4);
}
