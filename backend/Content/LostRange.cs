namespace NzbDav.Content;

/// <summary>Lost bytes of a posted file: those of one segment.</summary>
/// <param name="Start">Offset of the first, in the file as it was posted.</param>
/// <param name="End">One past the last.</param>
/// <param name="Segment">The segment, by its index in the file's <see cref="ExtentMap"/>.</param>
public readonly record struct LostRange(long Start, long End, int Segment);
