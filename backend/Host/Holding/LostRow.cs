namespace NzbDav.Host.Holding;

/// <summary>A file that no library uses any more.</summary>
/// <param name="Path">Its path below <c>/content</c>, also while it is hidden.</param>
/// <param name="State"><c>Lost</c>, <c>Hidden</c>, <c>Kept</c>, or <c>Seeding</c>: its torrent is still to be seeded, so it stays for
/// now.</param>
/// <param name="LastLink">The last known link to it.</param>
/// <param name="Since">Since when no library uses it.</param>
/// <param name="HideAt">Earliest time at which it is hidden; null: it is hidden already, it is seeded, or a person has kept it.</param>
/// <param name="DeleteAt">Earliest time at which it is deleted; null: it is seeded, or a person has kept it.</param>
internal sealed record LostRow(string Path, string State, string LastLink, DateTimeOffset Since, DateTimeOffset? HideAt, DateTimeOffset? DeleteAt);
