using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace NzbDav.Mount.Protocol;

/// <summary>
/// The descriptor of <c>/dev/fuse</c> that serves a mount: takes requests in the kernel's order, and writes replies and notifications. Each
/// request is replied to exactly once, unless the kernel expects no reply. Thread-safe.
/// </summary>
/// <remarks>
/// Several threads serve it, of which one at a time waits for a request. It says what has come before it wakes the next, and works on it
/// then. So the reads of a file arrive in the order in which the kernel sent them. Clones of the descriptor (<c>FUSE_DEV_IOC_CLONE</c>)
/// would lose that order.
/// </remarks>
internal sealed unsafe class FuseConnection : IDisposable
{
    /// <summary>
    /// Longest request: the kernel demands room for 8 KiB (<c>FUSE_MIN_READ_BUFFER</c>), and what is longer would be a WRITE, which is
    /// never asked for here.
    /// </summary>
    private const int LongestRequest = 64 << 10;

    private readonly int _descriptor;

    /// <summary>An eventfd that is readable once the connection is closed: closing a descriptor wakes nobody who waits on it.</summary>
    private readonly int _stop = LinuxCalls.EventDescriptor(0, LinuxCalls.EventCloseOnExec);
    private readonly Lock _turn = new();
    private readonly Thread[] _threads;
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Held for writing only while the descriptor is closed.</summary>
    private readonly ReaderWriterLockSlim _writes = new();
    private int _running;
    private bool _isClosed;
    private bool _isDescriptorClosed;

    /// <param name="descriptor">Open and mounted; owned.</param>
    /// <param name="threads">How many threads serve it, at least 1.</param>
    public FuseConnection(int descriptor, int threads)
    {
        _descriptor = descriptor;
        _threads = new Thread[threads];
        _running = threads;
        LinuxCalls.SetStatus(descriptor, LinuxCalls.SetStatusFlags, LinuxCalls.OpenNonBlocking);
    }

    /// <summary>Handles a request. Must copy what it needs of the body before it returns, and must not throw.</summary>
    /// <param name="header">The request's header.</param>
    /// <param name="body">What follows it. Valid until the handler returns.</param>
    public delegate void Handler(in RequestHeader header, ReadOnlySpan<byte> body);

    /// <summary>Completes when the mount has ended: it was unmounted, or the kernel aborted it.</summary>
    public Task Ended => _ended.Task;

    /// <summary>Begins to serve. Called once.</summary>
    /// <param name="arrived">Called first, for one request after the other in the kernel's order. Must not wait, nor reply.</param>
    /// <param name="handler">Called after it, by several threads at once.</param>
    public void Start(Handler arrived, Handler handler)
    {
        for (var i = 0; i < _threads.Length; i++)
        {
            _threads[i] = new Thread(() => Serve(arrived, handler)) { IsBackground = true, Name = "mount" };
            _threads[i].Start();
        }
    }

    /// <summary>Replies with an error, or with success and nothing else.</summary>
    public void Reply(ulong request, LinuxError error) => Send(new ReplyHeader { Error = -(int)error, Unique = request }, []);

    /// <summary>Replies with a structure.</summary>
    public void Reply<T>(ulong request, in T answer)
        where T : unmanaged => Send(new() { Unique = request }, MemoryMarshal.AsBytes(new ReadOnlySpan<T>(in answer)));

    /// <summary>Replies with bytes.</summary>
    public void Reply(ulong request, ReadOnlySpan<byte> answer) => Send(new() { Unique = request }, answer);

    /// <summary>Replies with the bytes of leases, copied straight to the reader's pages. The leases stay the caller's.</summary>
    public void Reply(ulong request, List<ReadOnlyMemory<byte>> parts)
    {
        var header = new ReplyHeader { Unique = request, Length = (uint)sizeof(ReplyHeader) };
        var pins = stackalloc LinuxCalls.Chunk[parts.Count + 1];
        var handles = new MemoryHandle[parts.Count];
        try
        {
            pins[0] = new() { Start = (byte*)&header, Length = (nuint)sizeof(ReplyHeader) };
            for (var i = 0; i < parts.Count; i++)
            {
                handles[i] = parts[i].Pin();
                pins[i + 1] = new() { Start = (byte*)handles[i].Pointer, Length = (nuint)parts[i].Length };
                header.Length += (uint)parts[i].Length;
            }

            Send(pins, parts.Count + 1);
        }
        finally
        {
            foreach (var handle in handles)
                handle.Dispose();
        }
    }

    /// <summary>Drops what the kernel keeps of a node: its attributes, and its pages or its listing.</summary>
    /// <returns>False if the kernel does not have the node.</returns>
    public bool Invalidate(ulong node)
    {
        var body = new InvalidateInode { NodeId = node };
        var bytes = MemoryMarshal.AsBytes(new ReadOnlySpan<InvalidateInode>(in body));
        return Send(new() { Error = (int)FuseNotification.InvalidateInode }, bytes);
    }

    /// <summary>Drops the node that a name leads to from the kernel's cache of names.</summary>
    /// <returns>False if the kernel does not have it.</returns>
    public bool Invalidate(ulong folder, ReadOnlySpan<byte> name)
    {
        var body = new byte[sizeof(InvalidateEntry) + name.Length + 1];
        MemoryMarshal.Write(body, new InvalidateEntry { Folder = folder, NameLength = (uint)name.Length });
        name.CopyTo(body.AsSpan(sizeof(InvalidateEntry)));
        return Send(new() { Error = (int)FuseNotification.InvalidateEntry }, body);
    }

    /// <summary>
    /// Ends the connection: the kernel fails what is under way, and what is still open, with ENOTCONN. <see cref="Ended"/> follows.
    /// </summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _isClosed, true))
            return;
        var one = 1UL;
        var chunk = new LinuxCalls.Chunk { Start = (byte*)&one, Length = sizeof(ulong) };
        LinuxCalls.Write(_stop, &chunk, 1);
    }

    private void Serve(Handler arrived, Handler handler)
    {
        var buffer = (byte*)NativeMemory.AlignedAlloc(LongestRequest, 4096);
        try
        {
            while (Take(buffer, arrived) is var length and > 0)
                Call(handler, buffer, length);
        }
        finally
        {
            NativeMemory.AlignedFree(buffer);
            if (Interlocked.Decrement(ref _running) == 0)
                Close();
        }
    }

    private void Close()
    {
        _writes.EnterWriteLock();
        (_isClosed, _isDescriptorClosed) = (true, true);
        LinuxCalls.Close(_descriptor);
        LinuxCalls.Close(_stop);
        _writes.ExitWriteLock();

        _ended.TrySetResult();
    }

    private static void Call(Handler handler, byte* buffer, int length)
    {
        ref readonly var header = ref Unsafe.AsRef<RequestHeader>(buffer);
        handler(header, new ReadOnlySpan<byte>(buffer + sizeof(RequestHeader), length - sizeof(RequestHeader)));
    }

    /// <summary>Waits for the next request, and says that it has come.</summary>
    /// <returns>Its length; 0: the mount has ended.</returns>
    private int Take(byte* buffer, Handler arrived)
    {
        lock (_turn)
        {
            while (!Volatile.Read(ref _isClosed))
            {
                var length = LinuxCalls.Read(_descriptor, buffer, LongestRequest);
                if (length >= sizeof(RequestHeader))
                {
                    Call(arrived, buffer, (int)length);
                    return (int)length;
                }

                switch ((LinuxError)Marshal.GetLastPInvokeError())
                {
                    case LinuxError.TryAgain:
                        Wait();
                        break;

                    // ENOENT: the request was interrupted before it was taken.
                    case LinuxError.NoEntry or LinuxError.Interrupted:
                        break;

                    // ENODEV: it was unmounted.
                    default:
                        return 0;
                }
            }

            return 0;
        }
    }

    private void Wait()
    {
        var polled = stackalloc LinuxCalls.Polled[2];
        polled[0] = new() { Descriptor = _descriptor, Events = LinuxCalls.PollIn };
        polled[1] = new() { Descriptor = _stop, Events = LinuxCalls.PollIn };
        LinuxCalls.Poll(polled, 2, timeout: -1);
    }

    private bool Send(ReplyHeader header, ReadOnlySpan<byte> body)
    {
        header.Length = (uint)(sizeof(ReplyHeader) + body.Length);
        fixed (byte* start = body)
        {
            var chunks = stackalloc LinuxCalls.Chunk[2];
            chunks[0] = new() { Start = (byte*)&header, Length = (nuint)sizeof(ReplyHeader) };
            chunks[1] = new() { Start = start, Length = (nuint)body.Length };
            return Send(chunks, body.IsEmpty ? 1 : 2);
        }
    }

    /// <summary>
    /// Writes one message in one call. ENOENT: the request was interrupted, or the kernel has no such node: nothing is lost. After the
    /// mount has ended nothing is written: the number of the descriptor may be another file's by then.
    /// </summary>
    private bool Send(LinuxCalls.Chunk* chunks, int count)
    {
        _writes.EnterReadLock();
        try
        {
            return !_isDescriptorClosed && LinuxCalls.Write(_descriptor, chunks, count) >= 0;
        }
        finally
        {
            _writes.ExitReadLock();
        }
    }
}
