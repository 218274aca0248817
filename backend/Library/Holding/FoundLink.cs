namespace NzbDav.Library.Holding;

/// <summary>A symbolic link or .strm file of a library.</summary>
/// <param name="Path">Where it is.</param>
/// <param name="Target">The path or address that it contains.</param>
public readonly record struct FoundLink(string Path, string Target);
