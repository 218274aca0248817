namespace NzbDav.Fuzz.Contract;

/// <summary>A folder beside the program for files that parsers spool; each is deleted when closed.</summary>
internal static class ScratchFiles
{
    /// <summary>The folder, in place of the configuration folder.</summary>
    public static string Folder { get; } = Directory.CreateDirectory(Path.Combine(AppContext.BaseDirectory, "scratch")).FullName;

    /// <summary>Opens a file for one run.</summary>
    public static FileStream Open() => new(Path.Combine(Folder, Path.GetRandomFileName()), new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.ReadWrite, Options = FileOptions.DeleteOnClose });
}
