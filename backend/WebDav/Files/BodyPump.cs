using System.Buffers;
using System.IO.Pipelines;
using NzbDav.Content;

namespace NzbDav.WebDav;

/// <summary>The loop between a reader and the connection. A flush that waits is the back-pressure; nothing is allocated per lease.</summary>
internal static class BodyPump
{
    /// <summary>
    /// Sends exactly <paramref name="length"/> bytes, flushed as they come. While a flush waits for a client that does not read, no lease is held: the
    /// response has a copy.
    /// </summary>
    /// <param name="reader">Where leases come from; stays the caller's.</param>
    /// <param name="lease">The first lease if it was taken already; given back here in every case.</param>
    /// <param name="length">Bytes promised to the client, at least 1.</param>
    /// <param name="writer">The response.</param>
    /// <param name="pieces">How much is flushed at a time.</param>
    /// <param name="metrics">Told of each write.</param>
    /// <param name="aborted">Fires when the client is gone.</param>
    public static async ValueTask<BodyOutcome> SendAsync(
        ContentReader reader, ContentLease? lease, long length, PipeWriter writer, SendPieces pieces, SendMetrics metrics, CancellationToken aborted)
    {
        // The first piece begins the response: written before that, it would be copied twice.
        var begun = false;
        while (true)
        {
            lease ??= await reader.NextAsync(aborted);
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

                    var flushed = await flush;
                    metrics.Written(began, size);
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
}
