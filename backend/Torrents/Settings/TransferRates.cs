namespace NzbDav.Torrents.Settings;

/// <summary>Rate limits of all torrents together.</summary>
/// <param name="Download">Bytes per second from peers; 0 = no limit.</param>
/// <param name="Upload">Bytes per second to peers; 0 = no limit.</param>
public readonly record struct TransferRates(long Download, long Upload);
