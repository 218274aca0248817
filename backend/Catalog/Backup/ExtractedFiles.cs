using System.Collections.Concurrent;
using System.Runtime.ExceptionServices;
using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Backup;

/// <summary>
/// Writes the files of an archive while reading continues: workers write small files, the reader itself large ones. Does not sync or
/// rename: the folder is valid only once all of it has been synced. For one caller.
/// </summary>
internal sealed class ExtractedFiles : IDisposable
{
    /// <summary>Largest file, in bytes, that is held in memory.</summary>
    private const int MostHeld = 1 << 20;

    private const int Workers = 4;

    // At most 64 MiB are queued when the disk is slower than the archive.
    private readonly BlockingCollection<(string Path, byte[] Bytes)> _waiting = new(64);
    private readonly ConcurrentDictionary<string, bool> _folders = new(StringComparer.Ordinal);
    private readonly CancellationTokenSource _end;
    private readonly Thread[] _threads;
    private Exception? _error;

    public ExtractedFiles(CancellationToken cancellationToken)
    {
        _end = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        _threads = [.. Enumerable.Range(0, Workers).Select(_ => new Thread(WriteAll) { IsBackground = true, Name = "restore" })];
        foreach (var thread in _threads)
            thread.Start();
    }

    /// <summary>Adds a file. Its bytes are read before this returns.</summary>
    /// <exception cref="IOException">This file or an earlier one cannot be written.</exception>
    public void Add(string path, Stream source, long length)
    {
        if (length > MostHeld)
        {
            _end.Token.ThrowIfCancellationRequested();
            MakeFolder(path);
            using var file = FileLink.Create(path);
            source.CopyTo(file);
            return;
        }

        var bytes = new byte[length];
        source.ReadExactly(bytes);
        try
        {
            _waiting.Add((path, bytes), _end.Token);
        }
        catch (OperationCanceledException) when (Volatile.Read(ref _error) is not null)
        {
            Complete();
        }
    }

    /// <summary>Waits until all files are written.</summary>
    /// <exception cref="IOException">One could not be written.</exception>
    public void Complete()
    {
        _waiting.CompleteAdding();
        foreach (var thread in _threads)
            thread.Join();
        if (_error is not null)
            ExceptionDispatchInfo.Throw(_error);
        _end.Token.ThrowIfCancellationRequested();
    }

    public void Dispose()
    {
        // Disposed early: queued files are not written.
        if (!_waiting.IsAddingCompleted)
        {
            _end.Cancel();
            _waiting.CompleteAdding();
        }

        foreach (var thread in _threads)
            thread.Join();
        _waiting.Dispose();
        _end.Dispose();
    }

    private void MakeFolder(string path)
    {
        var above = Path.GetDirectoryName(path)!;
        if (_folders.ContainsKey(above))
            return;
        FileLink.CreateFolder(above);
        _folders.TryAdd(above, true);
    }

    private void WriteAll()
    {
        try
        {
            foreach (var (path, bytes) in _waiting.GetConsumingEnumerable(_end.Token))
            {
                MakeFolder(path);
                using var file = FileLink.CreateUnbuffered(path);
                file.Write(bytes);
            }
        }
        catch (OperationCanceledException)
        {
            // Complete reports the error.
        }
        catch (Exception e) when (FileFaults.IsFault(e))
        {
            Interlocked.CompareExchange(ref _error, e, null);
            _end.Cancel();
        }
    }
}
