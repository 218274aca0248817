namespace NzbDav.Host.Holding;

/// <summary>A file that no library has any more.</summary>
/// <param name="Path">Below <c>/content</c>, also while it is hidden.</param>
/// <param name="State"><c>Lost</c>, <c>Hidden</c> or <c>Kept</c>.</param>
/// <param name="LastLink">The last link to it.</param>
/// <param name="Since">Since when no library has it.</param>
/// <param name="HideAt">When it is hidden at the earliest; null: it is already, or somebody wants it to stay.</param>
/// <param name="DeleteAt">When it is deleted at the earliest; null: somebody wants it to stay.</param>
internal sealed record LostRow(string Path, string State, string LastLink, DateTimeOffset Since, DateTimeOffset? HideAt, DateTimeOffset? DeleteAt);
