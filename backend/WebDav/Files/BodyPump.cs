using System.IO.Pipelines;
using NzbDav.Content;

namespace NzbDav.WebDav;

/// <summary>The loop between a reader and the connection. A flush that waits is the back-pressure; nothing is allocated per lease.</summary>
internal static class BodyPump
{
    /// <summary>
    /// Most that is copied to the connection before a flush. A whole article at once costs every response in flow its size once more (16 readers:
    /// 20 MB); a quarter of this costs a tenth more CPU.
    /// </summary>
    private const int MostPerFlush = 256 << 10;

    /// <summary>
    /// Sends exactly <paramref name="length"/> bytes, each lease flushed as it comes and given back after its last flush. The last byte is sent only when all are
    /// verified: until then the connection can still be broken, so a response that ends in peace has the right bytes.
    /// </summary>
    /// <param name="reader">Where leases come from; stays the caller's.</param>
    /// <param name="lease">The first lease if it was taken already; given back here in every case.</param>
    /// <param name="length">Bytes promised to the client, at least 1.</param>
    /// <param name="writer">The response.</param>
    /// <param name="metrics">Told of each write.</param>
    /// <param name="aborted">Fires when the client is gone.</param>
    /// <exception cref="ContentException">The bytes cannot be had, or those that were sent were wrong.</exception>
    public static async ValueTask<BodyOutcome> SendAsync(
        ContentReader reader, ContentLease? lease, long length, PipeWriter writer, SendMetrics metrics, CancellationToken aborted)
    {
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
                    var piece = memory[..Math.Min(memory.Length, MostPerFlush)];
                    if (piece.Length == length && !lease.IsVerified)
                    {
                        if (piece.Length == 1)
                            await lease.WhenVerifiedAsync(aborted);
                        else
                            piece = piece[..^1];
                    }

                    memory = memory[piece.Length..];
                    var began = metrics.TimesWrites ? metrics.Now() : 0;
                    var flushed = await writer.WriteAsync(piece, aborted);
                    metrics.Written(began, piece.Length);
                    length -= piece.Length;
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
