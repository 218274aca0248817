using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using NzbDav.Content;
using NzbDav.WebDav.Streams;

namespace NzbDav.WebDav.Files;

/// <summary>
/// The loop between a reader and the connection. A flush that waits is the back-pressure; nothing is allocated per lease.
/// </summary>
internal static class BodyPump
{
    /// <summary>
    /// Sends exactly <paramref name="length"/> bytes, flushed as they come. While a flush waits for a client that does not read, no lease
    /// is held: the response has a copy. The last byte is sent only when all are verified: until then the connection can still be broken,
    /// so a response that ends cleanly has the right bytes.
    /// </summary>
    /// <param name="reader">Where leases come from; stays the caller's.</param>
    /// <param name="lease">The first lease if it was taken already; given back here in every case.</param>
    /// <param name="length">Bytes promised to the client, at least 1.</param>
    /// <param name="writer">The response.</param>
    /// <param name="pieces">How much is flushed at a time.</param>
    /// <param name="metrics">Told of each write.</param>
    /// <param name="stream">Counts what is sent and how long it waits; null: nobody does.</param>
    /// <param name="aborted">Fires when the client is gone.</param>
    /// <exception cref="ContentException">The bytes cannot be had, or those that were sent were wrong.</exception>
    public static async ValueTask<BodyOutcome> SendAsync(
        ContentReader reader, ContentLease? lease, long length, PipeWriter writer, SendPieces pieces, SendMetrics metrics,
        StreamResponse? stream, CancellationToken aborted)
    {
        // The first piece begins the response: written before that, it would be copied twice.
        var begun = false;
        while (true)
        {
            if (lease is null)
            {
                var next = reader.NextAsync(aborted);
                lease = next.IsCompleted || stream is null ? await next : await WaitAsync(next, stream);
            }

            try
            {
                if (lease.IsEmpty)
                    return BodyOutcome.Short;
                var memory = lease.Memory;
                if (memory.Length > length)
                    memory = memory[..(int)length];
                while (!memory.IsEmpty)
                {
                    var piece = memory[..Math.Min(memory.Length, pieces.Size)];
                    if (piece.Length == length && !lease.IsVerified)
                    {
                        if (piece.Length == 1)
                            await lease.WhenVerifiedAsync(aborted);
                        else
                            piece = piece[..^1];
                    }

                    var size = piece.Length;
                    memory = memory[size..];
                    var began = metrics.TimesWrites ? metrics.Now() : 0;
                    ValueTask<FlushResult> flush;
                    if (begun)
                    {
                        writer.Write(piece.Span);
                        if (memory.IsEmpty)
                            lease.Dispose();
                        flush = writer.FlushAsync(aborted);
                    }
                    else
                    {
                        begun = true;
                        flush = writer.WriteAsync(piece, aborted);
                    }

                    var stalls = stream is not null && !flush.IsCompleted;
                    if (stalls)
                        stream!.StallBegins();
                    var flushed = await flush;
                    if (stalls)
                        stream!.StallEnds();
                    metrics.Written(began, size);
                    stream?.OnSent(size);
                    length -= size;
                    if (length == 0)
                        return BodyOutcome.Sent;
                    if (flushed.IsCompleted || aborted.IsCancellationRequested)
                        return BodyOutcome.ClientGone;
                }
            }
            finally
            {
                lease.Dispose();
            }

            lease = null;
        }
    }

    // Pooled: waiting for an article costs no allocation.
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private static async ValueTask<ContentLease> WaitAsync(ValueTask<ContentLease> next, StreamResponse stream)
    {
        stream.WaitBegins();
        try
        {
            return await next;
        }
        finally
        {
            stream.WaitEnds();
        }
    }
}

/// <summary>How the sending of a range ended.</summary>
internal enum BodyOutcome
{
    /// <summary>Every byte was handed over.</summary>
    Sent,

    /// <summary>The client hung up.</summary>
    ClientGone,

    /// <summary>The reader ended before the range did.</summary>
    Short,
}

/// <summary>
/// How much is copied to a connection before a flush. It stays there as long as the client does not read, so many responses get smaller
/// pieces. Thread-safe.
/// </summary>
internal sealed class SendPieces
{
    /// <summary>A whole article at once costs every response in flow its size once more (16 readers: 20 MB); a quarter of this costs a
    /// tenth more CPU.</summary>
    internal const int Most = 256 << 10;

    /// <summary>One block of the connection's memory.</summary>
    internal const int Least = 64 << 10;

    /// <summary>What all responses together leave with their connections, down to <see cref="Least"/> for each.</summary>
    internal const int Room = 16 << 20;

    private int _open;

    /// <summary>Bytes.</summary>
    public int Size => Math.Clamp(Room / Math.Max(1, Volatile.Read(ref _open)), Least, Most);

    /// <summary>A response begins.</summary>
    public void Opened() => Interlocked.Increment(ref _open);

    /// <summary>A response has ended.</summary>
    public void Closed() => Interlocked.Decrement(ref _open);
}
