namespace NzbDav.Library.Posts;

/// <summary>A posted file as far as it holds bytes of another.</summary>
/// <param name="Name">What it was posted as; null: not known.</param>
/// <param name="Offset">Where its first byte is in the file.</param>
/// <param name="Length">Bytes of the file that it holds.</param>
/// <param name="FirstSegment">The segment of the file's map that holds the first of them.</param>
/// <param name="Articles">Articles that hold them.</param>
/// <param name="Missing">How many of these are known to be missing.</param>
public sealed record PostedPart(string? Name, long Offset, long Length, int FirstSegment, int Articles, int Missing);
