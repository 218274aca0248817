namespace NzbDav.Catalog.Torrents;

/// <summary>A category of torrents that a client created.</summary>
/// <param name="Name">Its name.</param>
/// <param name="SavePath">As the client gave it; empty: the default. Nothing is written there.</param>
public sealed record TorrentCategory(string Name, string SavePath);
