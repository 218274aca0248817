namespace NzbDav.Usenet.Disk;

/// <summary>How articles are kept on the disk.</summary>
/// <param name="Folder">Absolute path; made when it is missing. Nobody else may keep files in it.</param>
/// <param name="Limit">Most bytes of all files together; 0: nothing is kept, and what is there is deleted.</param>
public sealed record DiskCacheOptions(string Folder, long Limit)
{
    /// <summary>Keeps nothing.</summary>
    public static DiskCacheOptions Off { get; } = new("", 0);

    /// <summary>The default folder below the folder of the configuration.</summary>
    public static string In(string configFolder) => Path.Combine(configFolder, "cache", "articles");
}
