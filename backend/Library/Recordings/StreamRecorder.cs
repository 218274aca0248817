using System.Globalization;
using System.IO.Compression;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Tree;
using NzbDav.Content.Recording;
using NzbDav.Usenet;

namespace NzbDav.Library.Recordings;

/// <summary>
/// Records all streams to a folder as they happen, one file for each sitting. A sitting ends when nothing was read for an hour, when its
/// file reaches a quarter of the bound, when the folder changes, or at <see cref="Close"/>. The oldest files are deleted when all take more
/// than the bound. After a crash, a file can be read up to the last call. Not thread-safe.
/// </summary>
/// <param name="source">The data that recordings are made from.</param>
/// <param name="by">The version of NzbDav.</param>
public sealed class StreamRecorder(RecordingSource source, string by) : IDisposable
{
    /// <summary>Pattern of the files' names.</summary>
    public const string Pattern = "nzbdav-streams-*.jsonl.gz";

    private static readonly TimeSpan SittingEnds = TimeSpan.FromHours(1);

    private FileStream? _file;
    private GZipStream? _packed;
    private RecordingWriter? _writer;
    private RecordingSession? _session;
    private long _streams = source.Timeline.Streams.Next;
    private long _providers = source.Timeline.Providers.Next;
    private long _lastRead;

    /// <summary>Path of the open file; null: nothing was read since the last one.</summary>
    public string? File => _file?.Name;

    /// <summary>Writes what happened since the last call. Call every few seconds.</summary>
    /// <param name="folder">Created if missing.</param>
    /// <param name="bound">Most bytes that all recordings there may take.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="IOException">The folder cannot be written, or the disk is full. The file is closed; the next call begins
    /// another.</exception>
    /// <exception cref="UnauthorizedAccessException">The folder cannot be written.</exception>
    public async Task WriteAsync(string folder, long bound, CancellationToken cancellationToken)
    {
        var entries = source.Timeline.ReadSince(ref _streams, ref _providers);
        var reads = entries.FindIndex(static entry => entry.Kind < TimelineKind.Article);
        var now = source.Timeline.Now;
        if (_file is not null && (Path.GetDirectoryName(_file.Name) != Path.GetFullPath(folder) || _file.Length > bound / 4
            || (reads < 0 && source.Timeline.Between(_lastRead, now) >= SittingEnds)))
            Close();
        if (_file is null && reads < 0)
            return;
        try
        {
            if (_file is null)
                Open(folder, bound, entries[0].At);
            if (reads >= 0)
                _lastRead = now;
            await _session!.WriteAsync(entries, cancellationToken);
            await _packed!.FlushAsync(cancellationToken);
            await _file!.FlushAsync(cancellationToken);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            Abandon();
            throw;
        }
    }

    /// <summary>Completes the open file, if there is one.</summary>
    /// <exception cref="IOException">The disk is full.</exception>
    public void Close()
    {
        try
        {
            _writer?.Complete();
            _packed?.Dispose();
        }
        finally
        {
            Abandon();
        }
    }

    /// <summary>Leaves out everything since the last call of <see cref="WriteAsync"/>.</summary>
    public void Skip() => (_streams, _providers) = (source.Timeline.Streams.Next, source.Timeline.Providers.Next);

    /// <inheritdoc/>
    public void Dispose() => Abandon();

    private void Open(string folder, long bound, long began)
    {
        var path = Path.GetFullPath(folder);
        Directory.CreateDirectory(path);
        var others = new DirectoryInfo(path).GetFiles(Pattern).OrderBy(static file => file.Name, StringComparer.Ordinal).ToList();
        var size = others.Sum(static file => file.Length);

        // A quarter is reserved for the new file.
        foreach (var old in others.TakeWhile(_ => size > bound / 4 * 3))
        {
            size -= old.Length;
            old.Delete();
        }

        var begun = source.Timeline.TimeOf(began);
        _file = new FileStream(Path.Combine(path, begun.UtcDateTime.ToString("'nzbdav-streams-'yyyyMMdd'T'HHmmssfff'Z.jsonl.gz'",
            CultureInfo.InvariantCulture)), FileMode.Create, FileAccess.Write, FileShare.Read);
        _packed = new GZipStream(_file, CompressionLevel.Optimal, leaveOpen: true);
        _writer = new RecordingWriter(_packed);
        _writer.Begin(begun, by);
        _session = new RecordingSession(source, _writer, began, stream: null);
    }

    /// <summary>Closes the file as it is.</summary>
    private void Abandon()
    {
        try
        {
            _packed?.Dispose();
            _file?.Dispose();
        }
        catch (IOException)
        {
            // The bytes that could not be written are lost; that was reported when it happened.
        }

        (_file, _packed, _writer, _session) = (null, null, null, null);
    }
}

/// <summary>The data that recordings are made from.</summary>
/// <param name="Timeline">The entries of the last minutes.</param>
/// <param name="Usenet">Knows the settings of the providers.</param>
/// <param name="Tree">Finds the files.</param>
/// <param name="Maps">The files' extent maps, for their articles.</param>
public sealed record RecordingSource(Timeline Timeline, UsenetClient Usenet, TreeStore Tree, ExtentMapStore Maps);
