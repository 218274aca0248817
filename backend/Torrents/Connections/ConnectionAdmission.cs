namespace NzbDav.Torrents.Connections;

/// <summary>What <see cref="ConnectionManager"/> answers to one more connection.</summary>
internal enum ConnectionAdmission
{
    /// <summary>It counts from here on.</summary>
    Admitted,

    /// <summary>There are enough connections to this address or its network; another may be tried.</summary>
    AddressFull,

    /// <summary>The torrent has all the connections that it may have.</summary>
    TorrentFull,

    /// <summary>The engine has no place, or others are first in line: the torrent is told when there may be one.</summary>
    Full,
}
