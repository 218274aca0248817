namespace NzbDav.Torrents.Settings;

/// <summary>Bounds on what all torrents together fetch and send.</summary>
/// <param name="Download">Bytes per second from peers; 0 = no limit.</param>
/// <param name="Upload">Bytes per second to peers; 0 = no limit.</param>
public readonly record struct TransferRates(long Download, long Upload);
