namespace NzbDav.Arr.Repair;

/// <summary>Tells what a library file leads to. Thread-safe.</summary>
public interface ILinkTargets
{
    /// <summary>The target of a symlink, or the address in a .strm file.</summary>
    /// <param name="path">As the application sees it.</param>
    /// <returns>Null if the file is something else, is not there, or cannot be read from here.</returns>
    string? TargetOf(string path);
}
