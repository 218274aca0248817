namespace NzbDav.Usenet.Disk;

/// <summary>Options of the disk cache.</summary>
/// <param name="Folder">Absolute path; created when missing. Nothing else may keep files in it.</param>
/// <param name="Limit">Most bytes of all files together; 0: nothing is kept, and existing files are deleted.</param>
public sealed record DiskCacheOptions(string Folder, long Limit)
{
    /// <summary>Keeps nothing.</summary>
    public static DiskCacheOptions Off { get; } = new("", 0);

    /// <summary>The default folder below the folder of the configuration.</summary>
    public static string In(string configFolder) => Path.Combine(configFolder, "cache", "articles");
}
