namespace NzbDav.Seeding;

/// <summary>A torrent that waits for disk space.</summary>
/// <param name="Hash">Its info-hash.</param>
/// <param name="Held">Verified bytes on disk.</param>
/// <param name="Missing">Bytes that are still to be written.</param>
internal sealed record WaitingTorrent(string Hash, long Held, long Missing);
