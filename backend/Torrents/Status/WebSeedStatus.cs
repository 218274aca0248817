namespace NzbDav.Torrents.Status;

/// <summary>State of a web seed.</summary>
public enum WebSeedState
{
    /// <summary>Not in use: others serve, or the torrent is not described yet.</summary>
    Spare,

    /// <summary>In use: wanted pieces are requested from it.</summary>
    Active,

    /// <summary>It failed, and is tried again later.</summary>
    Waiting,

    /// <summary>It cannot serve this torrent, and is not tried again.</summary>
    Dropped,
}

/// <summary>A web server that has the torrent's files (BEP 19).</summary>
/// <param name="Address">As in the .torrent or magnet link, but without password and query, which may be keys.</param>
/// <param name="State">Its state.</param>
public sealed record WebSeedStatus(string Address, WebSeedState State)
{
    /// <summary>Why it waits or was dropped; null = it does neither.</summary>
    public string? Reason { get; init; }

    /// <summary>Bytes of blocks per second from it, over the last four seconds.</summary>
    public double DownRate { get; init; }

    /// <summary>Bytes of blocks from it since the torrent was opened.</summary>
    public long Downloaded { get; init; }

    /// <summary>Blocks requested from it that have not arrived.</summary>
    public int Pending { get; init; }

    /// <summary>The form of a web seed's address that is shown: see <see cref="Address"/>.</summary>
    public static string Shown(Uri address)
    {
        ArgumentNullException.ThrowIfNull(address);
        return address.GetComponents(UriComponents.SchemeAndServer | UriComponents.Path, UriFormat.UriEscaped);
    }
}
