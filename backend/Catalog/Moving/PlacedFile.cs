namespace NzbDav.Catalog.Moving;

/// <summary>A file of a job that is published.</summary>
/// <param name="Id">The item.</param>
/// <param name="Name">What it is called.</param>
/// <param name="Size">Bytes.</param>
/// <param name="Article">The id of its first segment, as its map has it; null: it has none.</param>
public sealed record PlacedFile(long Id, string Name, long Size, string? Article);
