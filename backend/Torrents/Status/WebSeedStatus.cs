namespace NzbDav.Torrents.Status;

/// <summary>What a web seed is doing.</summary>
public enum WebSeedState
{
    /// <summary>It is not asked: others serve, or the torrent is not described yet.</summary>
    Spare,

    /// <summary>It is asked for what is wanted.</summary>
    Active,

    /// <summary>It could not serve, and is asked again later.</summary>
    Waiting,

    /// <summary>It cannot serve this torrent, and is not asked again.</summary>
    Dropped,
}

/// <summary>A web server that has the torrent's files (BEP 19).</summary>
/// <param name="Address">As the .torrent or the magnet link names it, but without a password or a query, which may be keys.</param>
/// <param name="State">What it is doing.</param>
public sealed record WebSeedStatus(string Address, WebSeedState State)
{
    /// <summary>Why it waits or was dropped; null = it does not, or was not.</summary>
    public string? Reason { get; init; }

    /// <summary>Bytes of blocks a second from it, over the last four seconds.</summary>
    public double DownRate { get; init; }

    /// <summary>Bytes of blocks from it since the torrent was opened.</summary>
    public long Downloaded { get; init; }

    /// <summary>Blocks that were requested from it and have not arrived.</summary>
    public int Pending { get; init; }

    /// <summary>See <see cref="Address"/>.</summary>
    public static string Shown(Uri address)
    {
        ArgumentNullException.ThrowIfNull(address);
        return address.GetComponents(UriComponents.SchemeAndServer | UriComponents.Path, UriFormat.UriEscaped);
    }
}
