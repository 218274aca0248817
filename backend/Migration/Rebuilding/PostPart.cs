namespace NzbDav.Migration.Rebuilding;

/// <summary>A file that was posted, by its articles, and what of it belongs to a file of the library.</summary>
/// <param name="Articles">All message-ids of the posted file, in order.</param>
/// <param name="Size">Bytes of the posted file, decoded.</param>
/// <param name="Start">First byte of it that is the file's.</param>
/// <param name="End">One past the last.</param>
internal sealed record PostPart(IReadOnlyList<string> Articles, long Size, long Start, long End);
