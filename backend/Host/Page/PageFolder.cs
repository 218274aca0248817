namespace NzbDav.Host.Page;

/// <summary>Where the built page lies: beside the program. Thread-safe.</summary>
internal sealed class PageFolder
{
    private volatile PageBundle? _bundle;

    /// <summary>The folder. Another one is for tests.</summary>
    public string Path { get; set; } = System.IO.Path.Combine(AppContext.BaseDirectory, "page");

    /// <summary>The page as it was built last; null if it is not built. Looks at one file's time, and reads all anew when that has changed: it may be built while the server runs.</summary>
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

    /// <summary>The page as it was last seen, without a look at the disk.</summary>
    public PageBundle? Known => _bundle ?? Current;
}
