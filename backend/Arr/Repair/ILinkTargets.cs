namespace NzbDav.Arr.Repair;

/// <summary>Reads the target of a library file. Thread-safe.</summary>
public interface ILinkTargets
{
    /// <summary>The target of a symlink, or the address in a .strm file.</summary>
    /// <param name="path">Path as the application sees it.</param>
    /// <returns>Null if the file is neither, does not exist, or cannot be read from here.</returns>
    string? TargetOf(string path);
}
