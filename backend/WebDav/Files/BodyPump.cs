using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using NzbDav.Content;
using NzbDav.WebDav.Streams;

namespace NzbDav.WebDav.Files;

/// <summary>Copies from a reader to the connection. A waiting flush is the back-pressure; nothing is allocated per lease.</summary>
internal static class BodyPump
{
    /// <summary>
    /// Sends exactly <paramref name="length"/> bytes, flushed as they arrive. While a flush waits for a client that does not read, no lease
    /// is held: the response has a copy. The last byte is sent only when all bytes are verified: until then the connection can still be
    /// aborted, so a response that ends cleanly has the right bytes.
    /// </summary>
    /// <param name="reader">Provides the leases; owned by the caller.</param>
    /// <param name="lease">The first lease if it was obtained already; disposed here in every case.</param>
    /// <param name="length">Bytes promised to the client, at least 1.</param>
    /// <param name="writer">The response.</param>
    /// <param name="pieces">Decides how much is flushed at a time.</param>
    /// <param name="metrics">Records each write.</param>
    /// <param name="stream">Counts the bytes sent and the waits; null: they are not counted.</param>
    /// <param name="aborted">Fires when the client is gone.</param>
    /// <exception cref="ContentException">The bytes cannot be read, or bytes already sent were wrong.</exception>
    public static async ValueTask<BodyOutcome> SendAsync(
        ContentReader reader, ContentLease? lease, long length, PipeWriter writer, SendPieces pieces, SendMetrics metrics,
        StreamResponse? stream, CancellationToken aborted)
    {
        // Start the response with the first piece: headers written before it would be copied twice.
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
    /// <summary>All bytes were handed over.</summary>
    Sent,

    /// <summary>The client closed the connection.</summary>
    ClientGone,

    /// <summary>The reader ended before the range did.</summary>
    Short,
}

/// <summary>
/// Number of bytes copied to a connection before a flush. They stay in memory while the client does not read, so with many responses the
/// pieces are smaller. Thread-safe.
/// </summary>
internal sealed class SendPieces
{
    /// <summary>
    /// A whole article at a time costs every active response its size once more (16 readers: 20 MB); a quarter of this costs a tenth more
    /// CPU.
    /// </summary>
    internal const int Most = 256 << 10;

    /// <summary>One block of the connection's memory.</summary>
    internal const int Least = 64 << 10;

    /// <summary>Memory for the pieces of all responses together, with at least <see cref="Least"/> for each.</summary>
    internal const int Room = 16 << 20;

    private int _open;

    /// <summary>Piece size in bytes.</summary>
    public int Size => Math.Clamp(Room / Math.Max(1, Volatile.Read(ref _open)), Least, Most);

    /// <summary>Called when a response begins.</summary>
    public void Opened() => Interlocked.Increment(ref _open);

    /// <summary>Called when a response has ended.</summary>
    public void Closed() => Interlocked.Decrement(ref _open);
}
