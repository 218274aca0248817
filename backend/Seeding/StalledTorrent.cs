namespace NzbDav.Seeding;

/// <summary>A torrent that was given up: no whole copy of it was found in time.</summary>
/// <param name="Hash">Info-hash.</param>
/// <param name="Name">What it is called.</param>
/// <param name="Category">Its category.</param>
/// <param name="Reason">Why, for people.</param>
public sealed record StalledTorrent(string Hash, string Name, string Category, string Reason);
