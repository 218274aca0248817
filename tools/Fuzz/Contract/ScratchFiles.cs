namespace NzbDav.Fuzz.Contract;

/// <summary>A folder beside the program for what parsers spool; files in it go when they are closed.</summary>
internal static class ScratchFiles
{
    /// <summary>The folder that takes the place of the configuration's.</summary>
    public static string Folder { get; } = Directory.CreateDirectory(Path.Combine(AppContext.BaseDirectory, "scratch")).FullName;

    /// <summary>A file for one run.</summary>
    public static FileStream Open() => new(Path.Combine(Folder, Path.GetRandomFileName()), new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.ReadWrite, Options = FileOptions.DeleteOnClose });
}
