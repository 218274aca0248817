namespace NzbDav.Migration.Rebuilding;

/// <summary>A posted file, by its articles, and the bytes of it that belong to a file of the library.</summary>
/// <param name="Articles">All message-ids of the posted file, in order.</param>
/// <param name="Size">Bytes of the posted file, decoded; 0 where the other program did not store it.</param>
/// <param name="Start">First byte of it that is the file's.</param>
/// <param name="End">One past the last.</param>
internal sealed record PostPart(IReadOnlyList<string> Articles, long Size, long Start, long End);
