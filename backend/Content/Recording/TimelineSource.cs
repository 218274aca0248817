namespace NzbDav.Content.Recording;

/// <summary>A client that reads a file. One object for all of its requests.</summary>
/// <param name="File">The file's id in the tree.</param>
/// <param name="Size">The file's size in bytes.</param>
/// <param name="Address">The client's address.</param>
/// <param name="UserAgent">Its User-Agent; null: none.</param>
public sealed record TimelineSource(long File, long Size, string Address, string? UserAgent);
