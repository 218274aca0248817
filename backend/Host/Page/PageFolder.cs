namespace NzbDav.Host.Page;

/// <summary>The folder of the built page, next to the program. Thread-safe.</summary>
internal sealed class PageFolder
{
    private volatile PageBundle? _bundle;

    /// <summary>The folder. Tests use another one.</summary>
    public string Path { get; set; } = System.IO.Path.Combine(AppContext.BaseDirectory, "page");

    /// <summary>
    /// The latest build of the page; null if it is not built. Checks the time of one file, and reads everything again when that has changed: the page may be built
    /// while the server runs.
    /// </summary>
    public PageBundle? Current
    {
        get
        {
            var known = _bundle;
            if (known is not null && File.GetLastWriteTimeUtc(System.IO.Path.Combine(Path, "index.html")) == known.BuiltAt)
                return known;
            return _bundle = PageBundle.TryRead(Path) ?? known;
        }
    }

    /// <summary>The page as last read, without accessing the disk.</summary>
    public PageBundle? Known => _bundle ?? Current;
}
