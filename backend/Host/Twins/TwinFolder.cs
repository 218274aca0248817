using NzbDav.Library.Export;

namespace NzbDav.Host.Twins;

/// <summary>One folder that is kept in step with a category. Used by one caller at a time.</summary>
/// <param name="options">What stands in it.</param>
/// <param name="marks">Where it is remembered that the folder was filled once.</param>
internal sealed class TwinFolder(ExportOptions options, string marks) : IDisposable
{
    private readonly string _mark = Path.Combine(marks, TwinMark.NameOf(options.Folder));
    private LibraryExport? _export;

    /// <summary>What stands in it.</summary>
    public ExportOptions Options => options;

    /// <summary>The open folder.</summary>
    /// <param name="views">Signs addresses.</param>
    /// <param name="opened">True if it was not open before: what is in it is to be looked at.</param>
    /// <exception cref="IOException">It is not there, or is another one than before.</exception>
    /// <exception cref="UnauthorizedAccessException">It cannot be written.</exception>
    public LibraryExport Open(WebDav.ViewLinks views, out bool opened)
    {
        // A mount that is gone leaves an empty folder in its place, or none.
        var isThere = LibraryExport.IsIn(options.Folder);
        if (!isThere)
            Close();
        if (!Directory.Exists(options.Folder))
            throw new IOException($"{options.Folder} is not there. Is it mounted? It is filled as soon as it is there.");
        if (!isThere && File.Exists(_mark))
            throw new IOException($"{options.Folder} is not the folder that was filled before: it has no .nzbdav-export. Is it mounted? If it is a new one on purpose, remove {_mark}.");
        opened = _export is null;
        if (_export is not null)
            return _export;
        _export = LibraryExport.Open(options, views);
        Directory.CreateDirectory(marks);
        File.WriteAllText(_mark, options.Folder + "\n");
        return _export;
    }

    /// <summary>Forgets what is known of it: something went wrong.</summary>
    public void Close()
    {
        _export?.Dispose();
        _export = null;
    }

    public void Dispose() => Close();
}
