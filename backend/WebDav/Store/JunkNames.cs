namespace NzbDav.WebDav.Store;

/// <summary>Names that Explorer and Finder look up in every folder, many at once: answered with 404 without asking the store.</summary>
public static class JunkNames
{
    /// <summary>True if any name in the path is one that desktops create.</summary>
    public static bool IsJunk(StorePath path)
    {
        foreach (var name in path.Segments)
        {
            if (IsJunk(name))
                return true;
        }

        return false;
    }

    /// <summary>True for a name that desktops create.</summary>
    public static bool IsJunk(string name) => name[0] switch
    {
        '.' => name.StartsWith("._", StringComparison.Ordinal)
            || name is ".DS_Store" or ".hidden" or ".metadata_never_index" or ".metadata_never_index_unless_rootfs" or ".Spotlight-V100"
                or ".Trashes" or ".fseventsd" or ".ql_disablethumbnails" or ".ql_disablecache",
        'd' or 'D' => name.Equals("desktop.ini", StringComparison.OrdinalIgnoreCase),
        't' or 'T' => name.Equals("thumbs.db", StringComparison.OrdinalIgnoreCase),
        'a' or 'A' => name.Equals("autorun.inf", StringComparison.OrdinalIgnoreCase),
        _ => false,
    };
}
