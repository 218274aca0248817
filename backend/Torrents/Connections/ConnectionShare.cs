namespace NzbDav.Torrents.Connections;

/// <summary>One torrent's share of the engine's connections. Used under the manager's lock.</summary>
internal sealed class ConnectionShare
{
    /// <summary>Connections, including those being opened.</summary>
    public int Count { get; set; }

    /// <summary>Connections being opened.</summary>
    public int Dials { get; set; }

    /// <summary>Connections about to be closed in favour of another torrent.</summary>
    public int Promised { get; set; }

    /// <summary>Connections that can be closed.</summary>
    public int Closable => Count - Dials - Promised;

    /// <summary>It was refused a place that it would have taken.</summary>
    public bool Waits { get; set; }

    /// <summary>It is being called about a free place.</summary>
    public bool IsCalled { get; set; }

    /// <summary>Connections of this torrent by address.</summary>
    public AddressCounts Addresses { get; } = new();

    /// <summary>Replaces its connections by newcomers.</summary>
    public Turnover Turnover { get; } = new();
}
