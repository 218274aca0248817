namespace NzbDav.Torrents.Connections;

/// <summary>Answer of <see cref="ConnectionManager"/> to a request for one more connection.</summary>
internal enum ConnectionAdmission
{
    /// <summary>The connection is admitted, and counts from now on.</summary>
    Admitted,

    /// <summary>There are enough connections to this address or its network; another address may be tried.</summary>
    AddressFull,

    /// <summary>The torrent has all the connections that it may have.</summary>
    TorrentFull,

    /// <summary>The engine has no free place, or other torrents come first. The torrent is called when there may be a place.</summary>
    Full,
}
