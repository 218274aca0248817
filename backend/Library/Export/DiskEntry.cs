namespace NzbDav.Library.Export;

/// <summary>What is at a path, and how long it is.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Size">Bytes of a file, or of what a link leads to.</param>
internal readonly record struct DiskEntry(DiskKind Kind, long Size);
