namespace NzbDav.Arr.Library;

/// <summary>A file of an application's list that is a symlink or a .strm file.</summary>
/// <param name="Path">As the application sees it.</param>
/// <param name="Target">What it leads to.</param>
public readonly record struct ArrLink(string Path, string Target);
