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

    /// <summary>How it stands.</summary>
    public TwinStatus Status { get; private set; } = new(options);

    /// <summary>Why nothing may be written to it, in words; null: it is there, and is the one that was filled before.</summary>
    public string? FindFault()
    {
        // A mount that is gone leaves an empty folder in its place, or none.
        var isThere = LibraryExport.IsIn(options.Folder);

        // An open folder that was moved away would be written to at its new place.
        if (!isThere || _export?.IsInPlace() == false)
            Close();
        if (!Directory.Exists(options.Folder))
            return $"{options.Folder} is not there. Is it mounted? It is filled as soon as it is there.";
        if (!isThere && File.Exists(_mark))
            return $"{options.Folder} is not the folder that was filled before: it has no .nzbdav-export. Is it mounted? If it is a new one on purpose, remove {_mark}.";
        return null;
    }

    /// <summary>The open folder, in which <see cref="FindFault"/> found nothing.</summary>
    /// <param name="views">Signs addresses.</param>
    /// <param name="opened">True if it was not open before: what is in it is to be looked at.</param>
    /// <exception cref="IOException">It cannot be read or written.</exception>
    /// <exception cref="UnauthorizedAccessException">It cannot be written.</exception>
    public LibraryExport Open(WebDav.ViewLinks views, out bool opened)
    {
        opened = _export is null;
        if (_export is not null)
            return _export;
        _export = LibraryExport.Open(options, views);
        Directory.CreateDirectory(marks);
        File.WriteAllText(_mark, options.Folder + "\n");
        return _export;
    }

    /// <summary>Takes note of a pass that ended.</summary>
    public void Finish(ExportReport report)
    {
        var problems = new List<string>();
        if (report.Blocked > 0)
            problems.Add($"{options.Folder}: {report.Blocked} files are not as they should be, because what is in their places is not ours, such as {report.BlockedBy[0]}.");
        if (report.TooLong.Count > 0)
            problems.Add($"{options.Folder}: {report.TooLong.Count} files are left out, as their paths would be longer than 4,095 bytes.");
        Status = Status with
        {
            State = problems.Count == 0 ? TwinState.Current : TwinState.Incomplete,
            Files = report.Made + report.Replaced + report.Unchanged,
            Problem = problems.Count == 0 ? null : string.Join(' ', problems),
        };
    }

    /// <summary>Takes note of what went wrong, and forgets what is known of the folder.</summary>
    public void Fail(string problem)
    {
        Close();
        Status = Status with { State = TwinState.Failed, Problem = problem };
    }

    public void Dispose() => Close();

    private void Close()
    {
        _export?.Dispose();
        _export = null;
    }
}
