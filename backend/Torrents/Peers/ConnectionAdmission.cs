namespace NzbDav.Torrents.Peers;

/// <summary>What <see cref="ConnectionLimits"/> says to one more connection.</summary>
internal enum ConnectionAdmission
{
    /// <summary>It counts from here on.</summary>
    Admitted,

    /// <summary>There are enough connections with this address; another may be tried.</summary>
    AddressFull,

    /// <summary>There are enough connections: the torrent is told when there may be room.</summary>
    Full,
}
