namespace NzbDav.Torrents.Connections;

/// <summary>What one torrent has of the engine's connections. Used under the manager's lock.</summary>
internal sealed class ConnectionShare
{
    /// <summary>Connections, and those that are being made.</summary>
    public int Count { get; set; }

    /// <summary>Connections that are being made.</summary>
    public int Dials { get; set; }

    /// <summary>Connections that another torrent's need is about to close.</summary>
    public int Promised { get; set; }

    /// <summary>Connections that can be closed.</summary>
    public int Closable => Count - Dials - Promised;

    /// <summary>It was refused a place that it would have taken.</summary>
    public bool Waits { get; set; }

    /// <summary>It is being told of a free place.</summary>
    public bool IsCalled { get; set; }

    /// <summary>Connections of this torrent by address.</summary>
    public AddressCounts Addresses { get; } = new();

    /// <summary>Its exchange of connections for newcomers.</summary>
    public Turnover Turnover { get; } = new();
}
