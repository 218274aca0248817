using System.Collections.Concurrent;
using NzbDav.Content;

namespace NzbDav.Fakes;

/// <summary>
/// Content over an array that lends segment by segment, counts what is asked of it and fails or waits where a test says so.
/// Thread-safe; its readers are for one caller at a time and throw if two use them at once.
/// </summary>
public sealed class MemoryContent : IContent
{
    private readonly ConcurrentDictionary<long, MemoryFault> _faults = new();
    private readonly ConcurrentDictionary<long, TaskCompletionSource> _gates = new();
    private readonly ConcurrentQueue<MemoryRequest> _requests = new();
    private readonly ConcurrentQueue<MemoryReader> _readers = new();
    private long _bytesLent;
    private int _disposed;

    /// <param name="bytes">The content; not copied.</param>
    /// <param name="segmentSize">No lease crosses a multiple of this.</param>
    /// <param name="pool">Where leases come from, so that leaks show; null lends the array itself.</param>
    public MemoryContent(byte[] bytes, int segmentSize = 64 << 10, BufferPool? pool = null)
    {
        ArgumentNullException.ThrowIfNull(bytes);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(segmentSize);
        Bytes = bytes;
        SegmentSize = segmentSize;
        Pool = pool;
    }

    /// <summary>The content.</summary>
    public byte[] Bytes { get; }

    /// <inheritdoc/>
    public long Length => Bytes.Length;

    /// <summary>Longest lease, in bytes.</summary>
    public int SegmentSize { get; }

    /// <summary>Every reader opened, in order.</summary>
    public IReadOnlyCollection<MemoryRequest> Requests => _requests;

    /// <summary>Readers opened so far.</summary>
    public int ReadersOpened => _requests.Count;

    /// <summary>Readers disposed so far; each counts once.</summary>
    public int ReadersDisposed => Volatile.Read(ref _disposed);

    /// <summary>Bytes in all leases handed out.</summary>
    public long BytesLent => Interlocked.Read(ref _bytesLent);

    /// <summary>How each reader gives way, in the order in which they were opened.</summary>
    public IReadOnlyList<YieldMode?> Ways => [.. _readers.Select(static reader => reader.Way)];

    internal BufferPool? Pool { get; }

    /// <summary>Readers get everything before <paramref name="offset"/> and a <see cref="ContentException"/> at it.</summary>
    /// <param name="offset">The first byte that cannot be had.</param>
    /// <param name="fault">What the exception says.</param>
    /// <param name="times">How often it fails before it works; default: always.</param>
    public void FailAt(long offset, ContentFault fault, int times = int.MaxValue) => _faults[offset] = new MemoryFault(fault, times);

    /// <summary>Readers get everything before <paramref name="offset"/>, then wait there until the returned source completes.</summary>
    public TaskCompletionSource GateAt(long offset) =>
        _gates[offset] = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>What the readers opened so far report, until they are disposed.</summary>
    public void Report(ReaderState state)
    {
        foreach (var reader in _readers)
            reader.State = state;
    }

    /// <inheritdoc/>
    public ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        ContentRange.ThrowIfOutside(start, end, Length);
        _requests.Enqueue(new MemoryRequest(start, end, intent));
        var reader = new MemoryReader(this, start, end);
        _readers.Enqueue(reader);
        return reader;
    }

    internal void OnLent(int bytes) => Interlocked.Add(ref _bytesLent, bytes);

    internal void OnDisposed() => Interlocked.Increment(ref _disposed);

    /// <summary>Complete unless a gate before the byte at <paramref name="position"/> is shut.</summary>
    internal Task GateBefore(long position) => _gates.TryGetValue(position, out var gate) ? gate.Task : Task.CompletedTask;

    internal void ThrowIfFaulty(long position)
    {
        if (_faults.TryGetValue(position, out var fault) && fault.Fires())
            throw new ContentException(fault.Kind, $"A test put {fault.Kind} at {position}.");
    }

    /// <summary>Where the lease that begins at <paramref name="position"/> must end.</summary>
    internal long StopAfter(long position, long end)
    {
        var stop = Math.Min(end, ((position / SegmentSize) + 1) * SegmentSize);
        foreach (var offset in _faults.Keys.Concat(_gates.Keys))
        {
            if (offset > position)
                stop = Math.Min(stop, offset);
        }

        return stop;
    }
}
