using System.Security.Cryptography;
using System.Text;
using NzbDav.Library.Export;
using NzbDav.WebDav.View;

namespace NzbDav.Host.Twins;

/// <summary>One folder that is kept in step with a category. One caller at a time; <see cref="Status"/> may be read meanwhile.</summary>
/// <param name="options">What the folder contains.</param>
/// <param name="marks">The folder with the marks of folders that were filled once.</param>
internal sealed class TwinFolder(ExportOptions options, string marks) : IDisposable
{
    private readonly string _mark = Path.Combine(marks, TwinMark.NameOf(options.Folder));
    private LibraryExport? _export;

    /// <summary>What the folder contains.</summary>
    public ExportOptions Options => options;

    /// <summary>Its state.</summary>
    public TwinStatus Status { get; private set; } = new(options);

    /// <summary>The latest pass over it. Until it is completed, nothing else may use the folder.</summary>
    public Task Pass { get; private set; } = Task.CompletedTask;

    /// <summary>Timestamp of the last check of every file in it; null: not checked since it was opened.</summary>
    public long? CheckedAt { get; private set; }

    /// <summary>Begins a pass on its own thread: disk access blocks, for long if the disk is gone.</summary>
    public void Begin(Action pass) =>
        Pass = Task.Factory.StartNew(pass, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    /// <summary>Why nothing may be written to it, as text; null: it exists, and is the folder that was filled before.</summary>
    public string? FindFault()
    {
        // A mount that is gone leaves an empty folder, or none.
        var isThere = LibraryExport.IsIn(options.Folder);

        // If the open folder was moved away, writes would go to its new place.
        if (!isThere || _export?.IsInPlace() == false)
            Close();
        if (!Directory.Exists(options.Folder))
            return $"{options.Folder} does not exist. Is it mounted? It is filled as soon as it exists.";
        if (!isThere && File.Exists(_mark))
            return $"{options.Folder} is not the folder that was filled before: it has no .nzbdav-export. Is it mounted? If you changed " +
                $"it on purpose, remove {_mark}.";
        return null;
    }

    /// <summary>Opens the folder, after <see cref="FindFault"/> found nothing.</summary>
    /// <param name="views">Signs addresses.</param>
    /// <exception cref="IOException">It cannot be read or written.</exception>
    /// <exception cref="UnauthorizedAccessException">It cannot be written.</exception>
    public LibraryExport Open(ViewLinks views)
    {
        if (_export is not null)
            return _export;
        _export = LibraryExport.Open(options, views);
        Directory.CreateDirectory(marks);
        File.WriteAllText(_mark, options.Folder + "\n");
        return _export;
    }

    /// <summary>Records the result of a pass.</summary>
    /// <param name="report">The result.</param>
    /// <param name="checkedAt">When the pass began, if it checked every file.</param>
    public void Finish(ExportReport report, long? checkedAt)
    {
        CheckedAt = checkedAt ?? CheckedAt;
        var problems = new List<string>();
        if (report.Blocked > 0)
            problems.Add(
                $"{options.Folder}: {report.Blocked} files could not be written, because other files are in their places, such as " +
                $"{report.BlockedBy[0]}.");
        if (report.TooLong.Count > 0)
            problems.Add(
                $"{options.Folder}: {report.TooLong.Count} files are left out, because their paths would be longer than 4,095 bytes.");
        Status = Status with
        {
            State = problems.Count == 0 ? TwinState.Current : TwinState.Incomplete,
            Files = report.Created + report.Replaced + report.Unchanged,
            Problem = problems.Count == 0 ? null : string.Join(' ', problems),
        };
    }

    /// <summary>Records a failure, and forgets what is known about the folder's contents.</summary>
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
        CheckedAt = null;
    }
}

/// <summary>State of a folder that is kept in step with a category. Immutable.</summary>
/// <param name="Options">What the folder contains.</param>
internal sealed record TwinStatus(ExportOptions Options)
{
    public TwinState State { get; init; }

    /// <summary>
    /// Number of this server's files and links that were correct after the last update; null: not updated since the start.
    /// </summary>
    public int? Files { get; init; }

    /// <summary>What prevents updates, as text; null: nothing.</summary>
    public string? Problem { get; init; }
}

/// <summary>State of a folder that is kept in step with a category.</summary>
internal enum TwinState
{
    /// <summary>It has not been updated yet.</summary>
    Waiting,

    /// <summary>Its contents are up to date.</summary>
    Current,

    /// <summary>Some files are missing or out of date. The others are up to date.</summary>
    Incomplete,

    /// <summary>It cannot be read or written. It is retried every minute.</summary>
    Failed,
}

/// <summary>Names the mark files of folders that were filled once.</summary>
internal static class TwinMark
{
    private const int Digits = 16;

    public static string NameOf(string folder) => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(folder)))[..Digits];
}
