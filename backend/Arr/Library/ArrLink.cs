namespace NzbDav.Arr.Library;

/// <summary>A file in an application's library that is a symlink or a .strm file.</summary>
/// <param name="Path">Path as the application sees it.</param>
/// <param name="Target">Target of the link.</param>
public readonly record struct ArrLink(string Path, string Target);
