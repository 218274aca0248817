using System.Collections.Concurrent;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using NzbDav.Content;
using NzbDav.Content.Recording;
using NzbDav.Mount.Protocol;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.Streams;

namespace NzbDav.Mount;

/// <summary>
/// A file that a program has open. Its reads are answered one after the other, in the order in which the kernel sent them, each with all of
/// its bytes or with an error: a short answer would mean the end of the file. Thread-safe.
/// </summary>
/// <param name="connection">Takes the replies.</param>
/// <param name="file">The file.</param>
/// <param name="source">The program and the file, for the list of streams; null: the file is not tracked.</param>
/// <param name="context">What all files of the mount share.</param>
internal sealed class MountedFile(FuseConnection connection, IStoreFile file, StreamSource? source, MountContext context) : IAsyncDisposable
{
    /// <summary>Bytes read in sequence after which one reader stays open and reads ahead to the end of the file.</summary>
    public const long SequenceLength = 2 << 20;

    /// <summary>
    /// Shortest of two reads in sequence, or of one at a new place, after which a program is expected to read on: the kernel's read-ahead,
    /// which grows to this length while a program reads on. Most systems do not let it grow further, so a program that wants more asks for
    /// it in such parts. Less than that at a new place is all that the program wants.
    /// </summary>
    public const long WindowLength = 128 << 10;

    /// <summary>
    /// How far a reader goes past such reads. The articles of a whole megabyte are then requested at once instead of one after the other:
    /// without it a read of 1 MiB took 141 ms on a line of 50 ms, with it only after the second read 112, over WebDAV 60.
    /// </summary>
    public const long AheadLength = 1 << 20;

    /// <summary>How many bytes a read may begin after the end of the one before: the kernel skips pages that it has.</summary>
    public const long NearEnough = 256 << 10;

    /// <summary>Reads up to this length are of headers and indexes.</summary>
    private const long ProbeLength = 64 << 10;

    /// <summary>Guards what follows.</summary>
    private readonly Lock _gate = new();
    private readonly Queue<PendingRead> _pending = new();
    private readonly ConcurrentQueue<PendingRead> _arrived = new();
    private bool _isBusy;
    private bool _isReleased;
    private ulong _current;
    private CancellationTokenSource _cancel = new();
    private IContent? _content;

    /// <summary>Reads on behind a sequence; null: there is none.</summary>
    private FileCursor? _kept;
    private long _sequenceEnd;
    private long _sequenceLength;
    private long _lastLength;

    // What follows is used by the one read that is being answered.
    private readonly List<ReadOnlyMemory<byte>> _parts = [];
    private readonly List<ContentLease> _leases = [];
    private volatile StreamResponse? _response;
    private long _trackedEnd;
    private volatile bool _isEnded;

    /// <summary>A read has come. Called in the order in which the kernel sends them; <see cref="Read"/> follows. Never waits.</summary>
    public void Arrive(ulong request, long offset, int length) =>
        _arrived.Enqueue(new(request, offset, Math.Min(offset + length, file.Length), Cursor: null));

    /// <summary>Reads what has come. The reply follows, on this thread if the bytes are there.</summary>
    public void Read()
    {
        lock (_gate)
        {
            TakeArrived();
            if (_isBusy)
                return;
            _isBusy = true;
        }

        _ = AnswerAsync();
    }

    /// <summary>The program that reads was sent a signal: the read ends with EINTR.</summary>
    /// <returns>False if the file has no such read.</returns>
    public bool Interrupt(ulong request)
    {
        CancellationTokenSource? running = null;
        lock (_gate)
        {
            TakeArrived();
            if (_current == request)
                running = _cancel;
            else if (!RemovePending(request))
                return false;
        }

        if (running is null)
            connection.Reply(request, LinuxError.Interrupted);
        else
            running.Cancel();
        return true;
    }

    /// <summary>The program has closed the file, or the mount ends.</summary>
    public async ValueTask DisposeAsync()
    {
        CancellationTokenSource? running = null;
        lock (_gate)
        {
            _isReleased = true;
            if (_isBusy)
                running = _cancel;
            _isBusy = true;
        }

        if (running is null)
            await CloseAsync();
        else
            await running.CancelAsync();
    }

    /// <summary>
    /// Requests the articles of what has come, although the reads before it are answered first. In the order of their coming, whichever
    /// thread calls first: out of order they would look like jumps. Under the lock.
    /// </summary>
    private void TakeArrived()
    {
        while (_arrived.TryDequeue(out var read))
            _pending.Enqueue(read with { Cursor = TryPlan(read.Offset, read.End) });
    }

    /// <summary>Takes a read out of those that wait; the others keep their order. Under the lock.</summary>
    private bool RemovePending(ulong request)
    {
        var found = false;
        for (var left = _pending.Count; left > 0; left--)
        {
            var read = _pending.Dequeue();
            if (read.Request == request)
            {
                found = true;
                _ = LeaveAsync(read.Cursor).AsTask();
            }
            else
            {
                _pending.Enqueue(read);
            }
        }

        return found;
    }

    private async Task AnswerAsync()
    {
        while (true)
        {
            PendingRead read;
            lock (_gate)
            {
                _current = 0;
                if (!_pending.TryDequeue(out read) && !_isReleased)
                {
                    _isBusy = false;
                    return;
                }

                // One for each read: an interrupt that comes late must not end the next one.
                (_current, _cancel) = (read.Request, new());
            }

            if (read.Request == 0)
            {
                await CloseAsync();
                return;
            }

            await AnswerAsync(read);
        }
    }

    private async ValueTask AnswerAsync(PendingRead read)
    {
        var error = LinuxError.InputOutput;
        try
        {
            error = await CollectAsync(read, _cancel.Token);
            if (error == LinuxError.None)
                connection.Reply(read.Request, _parts);
        }
        catch (OperationCanceledException) when (_cancel.IsCancellationRequested)
        {
            error = _isEnded || _isReleased ? LinuxError.InputOutput : LinuxError.Interrupted;
        }
        catch (ContentException e)
        {
            context.Failed(file.Name, read.Offset, e.Fault, e.Message);
            End(ResponseEnd.Broken);
        }
        catch (Exception e)
        {
            context.Faulted(e);
            End(ResponseEnd.Broken);
        }
        finally
        {
            foreach (var lease in _leases)
                lease.Dispose();
            _leases.Clear();
            _parts.Clear();
        }

        if (error != LinuxError.None)
            connection.Reply(read.Request, error);
    }

    /// <summary>Collects exactly the bytes of a read, verified, in <see cref="_parts"/>.</summary>
    private async ValueTask<LinuxError> CollectAsync(PendingRead read, CancellationToken cancellationToken)
    {
        if (read.Offset >= read.End)
            return LinuxError.None;
        if (!Track(read.Offset, read.End) || (_content is null && !await OpenAsync(cancellationToken)))
        {
            await LeaveAsync(read.Cursor);
            return LinuxError.InputOutput;
        }

        var cursor = read.Cursor;
        if (cursor is null || cursor.Position > read.Offset || cursor.IsBroken)
        {
            await LeaveAsync(cursor);
            lock (_gate)
                cursor = Plan(_content!, read.Offset, read.End);
        }

        _response?.Reads(cursor.Reader, read.Offset);
        try
        {
            while (cursor.Position < read.End)
            {
                var next = cursor.NextAsync(cancellationToken);
                var lease = next.IsCompleted ? await next : await WaitAsync(next);
                if (lease.IsEmpty)
                    throw new ContentException(ContentFault.Corrupt, "The source ended before the file did.");
                _leases.Add(lease);
                var skip = (int)Math.Min(lease.Length, Math.Max(0, read.Offset - (cursor.Position - lease.Length)));
                var over = (int)Math.Max(0, cursor.Position - read.End);
                if (over > 0)
                    cursor.Return(lease.Slice(lease.Length - over, over));
                if (skip < lease.Length)
                    _parts.Add(lease.Memory[skip..(lease.Length - over)]);
            }

            foreach (var lease in _leases)
            {
                if (!lease.IsVerified)
                    await lease.WhenVerifiedAsync(cancellationToken);
            }
        }
        catch
        {
            // Where it stands is not known any more.
            cursor.IsBroken = true;
            throw;
        }
        finally
        {
            await LeaveAsync(cursor);
        }

        _response?.FirstByte();
        _response?.OnSent((int)(read.End - read.Offset));
        return LinuxError.None;
    }

    /// <summary>Waits for bytes, no longer than <see cref="MountContext.Patience"/>.</summary>
    private async ValueTask<ContentLease> WaitAsync(ValueTask<ContentLease> next)
    {
        var (cancel, isLate) = (_cancel, false);
        await using var deadline = context.Time.CreateTimer(
            _ =>
            {
                isLate = true;
                cancel.Cancel();
            },
            state: null, context.Patience, Timeout.InfiniteTimeSpan);
        _response?.WaitBegins();
        try
        {
            return await next;
        }
        catch (OperationCanceledException e) when (isLate)
        {
            throw new ContentException(ContentFault.Unavailable, "No source answered in time.", e);
        }
        finally
        {
            _response?.WaitEnds();
        }
    }

    /// <summary>Plans a read if the file is open already. Under the lock.</summary>
    private FileCursor? TryPlan(long start, long end)
    {
        try
        {
            return start < end && _content is { } content ? Plan(content, start, end) : null;
        }
        catch (Exception e)
        {
            // It is planned once more, and fails, when its turn has come.
            context.Faulted(e);
            return null;
        }
    }

    /// <summary>
    /// Chooses the cursor of a read: the kept one behind a sequence, otherwise one of its own, which requests its articles at once. Under
    /// the lock. <see cref="LeaveAsync"/> follows.
    /// </summary>
    private FileCursor Plan(IContent content, long start, long end)
    {
        var length = end - start;
        var follows = start >= _sequenceEnd && start - _sequenceEnd <= NearEnough;
        var readsOn = length >= WindowLength && (follows ? _lastLength >= WindowLength : start > 0);
        (_sequenceLength, _sequenceEnd, _lastLength) = ((follows ? _sequenceLength : 0) + length, end, length);
        if (_kept is not { IsBroken: false } cursor
            || start < cursor.PlannedTo || start - cursor.PlannedTo > NearEnough || end > cursor.End)
        {
            var limit = _sequenceLength > SequenceLength ? content.Length
                : readsOn ? Math.Min(content.Length, end + AheadLength) : end;
            var intent = limit == end && length <= ProbeLength ? ReadIntent.Probe
                : _response?.Stream.YieldMode is null ? ReadIntent.Playback : ReadIntent.Scan;
            cursor = new FileCursor(content.OpenReader(start, limit, intent), start, limit);
            if (limit > end)
            {
                // After the new one is open: what the old one is fetching is what the new one requests first.
                var old = _kept;
                _kept = cursor;
                if (old is { Reads: 0 })
                    _ = old.DisposeAsync().AsTask();
            }
        }

        cursor.PlannedTo = end;
        cursor.Reads++;
        return cursor;
    }

    /// <summary>A read no longer needs its cursor.</summary>
    private ValueTask LeaveAsync(FileCursor? cursor)
    {
        if (cursor is null)
            return ValueTask.CompletedTask;
        lock (_gate)
        {
            if (cursor.IsBroken && _kept == cursor)
                _kept = null;
            if (--cursor.Reads > 0 || _kept == cursor)
                return ValueTask.CompletedTask;
        }

        return cursor.DisposeAsync();
    }

    private async ValueTask<bool> OpenAsync(CancellationToken cancellationToken)
    {
        var opened = await file.OpenAsync(cancellationToken);
        if (opened.Content is not { } content)
        {
            context.Failed(file.Name, 0, opened.Fault, opened.Reason);
            End(ResponseEnd.Refused);
            return false;
        }

        lock (_gate)
            _content = content;
        return true;
    }

    /// <summary>Reports a read to the list of streams. One that does not follow the last begins a new response, as over WebDAV.</summary>
    /// <returns>False if a person has ended this stream.</returns>
    private bool Track(long start, long end)
    {
        if (context.Streams is not { } streams || source is null)
            return true;
        var follows = start >= _trackedEnd && start - _trackedEnd <= NearEnough;
        _trackedEnd = end;
        if (_response is not null && follows && !_isEnded)
            return true;
        End(ResponseEnd.Complete);
        _isEnded = false;
        _response = streams.Begin(
            source, start, file.Length, end - start <= ProbeLength ? ReadIntent.Probe : ReadIntent.Playback, Abort);
        if (_response is { } response)
            response.LongWait = (waited, wait) => OnLongWait(response, waited, wait);
        return _response is not null;
    }

    private void OnLongWait(StreamResponse response, TimeSpan waited, ReaderWait? wait)
    {
        response.Stream.Note(waited, wait);
        context.Waited(file.Name, waited, wait?.Trace);
    }

    private void Abort()
    {
        _isEnded = true;
        CancellationTokenSource running;
        lock (_gate)
            running = _cancel;
        running.Cancel();
    }

    private void End(ResponseEnd outcome)
    {
        if (_response is not { } response)
            return;
        _response = null;
        response.Outcome = outcome;
        context.Streams!.Close(response);
    }

    private ValueTask CloseAsync()
    {
        Debug.Assert(_pending.Count == 0, "the kernel releases a file after its last read");
        End(ResponseEnd.Complete);
        FileCursor? kept;
        lock (_gate)
            (kept, _kept) = (_kept, null);
        return kept?.DisposeAsync() ?? ValueTask.CompletedTask;
    }

    /// <param name="Request">The request to answer; 0: none.</param>
    /// <param name="Offset">First byte.</param>
    /// <param name="End">One past the last byte, within the file.</param>
    /// <param name="Cursor">Reads it; null: it has none yet.</param>
    private readonly record struct PendingRead(ulong Request, long Offset, long End, FileCursor? Cursor);
}

/// <summary>A reader of the mount with the place where it stands. Counters under the file's lock; read by one caller at a time.</summary>
/// <param name="reader">Owned.</param>
/// <param name="start">Its first byte.</param>
/// <param name="end">One past its last byte.</param>
internal sealed class FileCursor(ContentReader reader, long start, long end) : IAsyncDisposable
{
    private ContentLease? _rest;

    public ContentReader Reader => reader;

    public long End => end;

    /// <summary>Offset of the next byte.</summary>
    public long Position { get; private set; } = start;

    /// <summary>End of the last read that was planned with it.</summary>
    public long PlannedTo { get; set; } = start;

    /// <summary>Reads planned with it that are not answered.</summary>
    public int Reads { get; set; }

    /// <summary>True after a failure: where it stands is not known any more.</summary>
    public bool IsBroken { get; set; }

    /// <summary>The next bytes; <see cref="Position"/> is then behind them. The caller disposes the lease.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
    {
        var lease = _rest ?? await reader.NextAsync(cancellationToken);
        _rest = null;
        Position += lease.Length;
        return lease;
    }

    /// <summary>Takes back the end of the last lease, which is not needed yet.</summary>
    public void Return(ContentLease rest)
    {
        _rest = rest;
        Position -= rest.Length;
    }

    public ValueTask DisposeAsync()
    {
        _rest?.Dispose();
        _rest = null;
        return reader.DisposeAsync();
    }
}
