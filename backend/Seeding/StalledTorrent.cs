namespace NzbDav.Seeding;

/// <summary>A torrent that failed because no whole copy of it was found in time.</summary>
/// <param name="Hash">Info-hash.</param>
/// <param name="Name">Its name.</param>
/// <param name="Reason">Text for people.</param>
public sealed record StalledTorrent(string Hash, string Name, string Reason)
{
    /// <summary>Beginning of the reason.</summary>
    public const string GivenUp = "No whole copy was found";
}
