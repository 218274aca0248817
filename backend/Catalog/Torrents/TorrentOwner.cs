namespace NzbDav.Catalog.Torrents;

/// <summary>A gateway that works with a torrent.</summary>
/// <param name="Gateway">Its name, which differs at each start.</param>
/// <param name="Address">Where the other gateways reach it: scheme, host, port and URL base, without a slash at its end. Empty: they cannot.</param>
public sealed record TorrentOwner(string Gateway, string Address);
