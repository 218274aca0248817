namespace NzbDav.Seeding;

/// <summary>A torrent for which a step failed.</summary>
/// <param name="Hash">Its info-hash.</param>
/// <param name="Name">Its name, or its hash if that is not known.</param>
/// <param name="Error">What happened.</param>
public sealed record FailedTorrent(string Hash, string Name, Exception Error);
