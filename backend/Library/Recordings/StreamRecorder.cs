using System.Globalization;
using System.IO.Compression;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Tree;
using NzbDav.Content.Recording;
using NzbDav.Usenet;

namespace NzbDav.Library.Recordings;

/// <summary>
/// Records all streams to a folder as they happen: a file for each sitting, which ends when nothing was read for an hour, when its file
/// reaches a quarter of the bound, or at <see cref="Close"/>. The oldest files go when all take more than the bound. What a crash leaves
/// can be read up to the last call. Not thread-safe.
/// </summary>
/// <param name="source">What is recorded.</param>
/// <param name="by">The version of NzbDav.</param>
public sealed class StreamRecorder(RecordingSource source, string by) : IDisposable
{
    /// <summary>Of its files.</summary>
    public const string Pattern = "nzbdav-streams-*.jsonl.gz";

    private static readonly TimeSpan SittingEnds = TimeSpan.FromHours(1);

    private FileStream? _file;
    private GZipStream? _packed;
    private RecordingWriter? _writer;
    private RecordingSession? _session;
    private long _streams = source.Timeline.Streams.Next;
    private long _providers = source.Timeline.Providers.Next;
    private long _lastRead;

    /// <summary>The file that is written; null: nothing was read since the last one.</summary>
    public string? File => _file?.Name;

    /// <summary>Writes what happened since the last time. Call it every few seconds.</summary>
    /// <param name="folder">Made if it is not there.</param>
    /// <param name="bound">Most bytes that all recordings there may take.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="IOException">The folder cannot be written, or the disk is full. The file is closed; the next call begins
    /// another.</exception>
    /// <exception cref="UnauthorizedAccessException">Nor may it be written.</exception>
    public async Task WriteAsync(string folder, long bound, CancellationToken cancellationToken)
    {
        var entries = source.Timeline.Take(ref _streams, ref _providers);
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

    /// <summary>Ends the file that is written, if there is one.</summary>
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

    /// <summary>Nothing that happens from here on to the next call of <see cref="WriteAsync"/> is recorded.</summary>
    public void Skip() => (_streams, _providers) = (source.Timeline.Streams.Next, source.Timeline.Providers.Next);

    /// <inheritdoc/>
    public void Dispose() => Abandon();

    private void Open(string folder, long bound, long began)
    {
        var path = Path.GetFullPath(folder);
        Directory.CreateDirectory(path);
        var others = new DirectoryInfo(path).GetFiles(Pattern).OrderBy(static file => file.Name, StringComparer.Ordinal).ToList();
        var size = others.Sum(static file => file.Length);

        // A quarter is for the new one.
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

    /// <summary>Lets go of the file as it is.</summary>
    private void Abandon()
    {
        try
        {
            _packed?.Dispose();
            _file?.Dispose();
        }
        catch (IOException)
        {
            // What could not be written is lost; that was told when it happened.
        }

        (_file, _packed, _writer, _session) = (null, null, null, null);
    }
}

/// <summary>What recordings are made of.</summary>
/// <param name="Timeline">The last minutes.</param>
/// <param name="Usenet">Tells how the accounts are configured.</param>
/// <param name="Tree">Finds the files.</param>
/// <param name="Maps">Where their articles are.</param>
public sealed record RecordingSource(Timeline Timeline, UsenetClient Usenet, TreeStore Tree, ExtentMapStore Maps);
