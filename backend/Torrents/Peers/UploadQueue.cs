using System.Buffers;
using NzbDav.Content.Rates;
using NzbDav.Torrents.Storage;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Peers;

/// <summary>
/// One peer's requests to us, answered in order and within the rate limit, from the hashed buffers in memory or from disk. Each send has a
/// few blocks, as many as the peer takes in a moment, so a peer that does not read occupies no more memory than that. Used under the
/// torrent's lock, except for the loop itself.
/// </summary>
internal sealed class UploadQueue(IPeerOwner torrent, Peer peer)
{
    /// <summary>Larger requests are refused; clients ask for 16 KiB.</summary>
    private const int MostLength = 128 << 10;

    /// <summary>Bytes of the header before a block.</summary>
    private const int HeadSize = 13;

    /// <summary>Fewest bytes sent at once (one block): at the start, and to a slow peer.</summary>
    private const int LeastBatch = HeadSize + (16 << 10);

    /// <summary>
    /// Most bytes sent at once: fifteen blocks. A call costs about as much as the bytes of one block; a larger batch gains nothing and
    /// exceeds the second-level cache.
    /// </summary>
    private const int MostBatch = 256 << 10;

    /// <summary>A peer that takes a batch in less time gets larger batches.</summary>
    private const long QuickTicks = 50 * TimeSpan.TicksPerMillisecond;

    /// <summary>A peer that takes longer gets smaller batches.</summary>
    private const long SlowTicks = 200 * TimeSpan.TicksPerMillisecond;

    private readonly Queue<(int Piece, int Begin, int Length)> _queue = new();
    private bool _running;

    /// <summary>Queues or rejects a request. Returns the reason if the peer must be disconnected, otherwise null.</summary>
    public string? Add(int piece, int begin, int length)
    {
        if (torrent.Table is not { } table || (uint)piece >= (uint)table.Info.PieceCount || begin < 0 || length is <= 0 or > MostLength
            || begin > table.Info.SizeOf(piece) - length)
            return "The peer asked for a block that does not exist.";
        if (_queue.Count >= Metadata.ExtensionHandshake.OurRequestQueue)
            return "The peer has too many requests outstanding.";
        if (!table.Have[piece] || (peer.AmChoking && !peer.TryServeFast(piece, length)))
        {
            Reject(piece, begin, length);
            return null;
        }

        _queue.Enqueue((piece, begin, length));
        if (_running)
            return null;
        _running = true;
        ThreadPool.QueueUserWorkItem(static queue => _ = queue.RunAsync(), this, preferLocal: false);
        return null;
    }

    /// <summary>Removes a request that the peer cancelled. With BEP 6, a reject answers the cancel.</summary>
    public void Cancel(int piece, int begin, int length)
    {
        for (var count = _queue.Count; count > 0; count--)
        {
            var request = _queue.Dequeue();
            if (request == (piece, begin, length))
                Reject(piece, begin, length);
            else
                _queue.Enqueue(request);
        }
    }

    /// <summary>Rejects all queued requests of a peer that has been choked. BEP 6 requires an answer to every request.</summary>
    public void RejectAll()
    {
        while (_queue.TryDequeue(out var request))
            Reject(request.Piece, request.Begin, request.Length);
    }

    private void Reject(int piece, int begin, int length)
    {
        if (peer.Fast)
            peer.Outbox.Block(MessageId.RejectRequest, piece, begin, length);
        peer.MarkDirty();
    }

    private async Task RunAsync()
    {
        byte[] buffer = [];
        var batch = new List<(int Piece, int Begin, int Length)>();
        var most = LeastBatch;
        try
        {
            while (DequeueBatch(batch, most))
            {
                var bytes = batch.Sum(static request => request.Length);
                await torrent.UploadLimit.WaitAsync(bytes, torrent.Stopping);
                await torrent.SharedUploadLimit.WaitAsync(bytes, torrent.Stopping);
                buffer = Fit(buffer, bytes + (HeadSize * batch.Count));
                var (filled, payload) = await FillAsync(batch, buffer);
                var started = torrent.Now;
                if (filled == 0)
                    peer.Outbox.Flush();
                else if (await peer.Outbox.SendAsync(buffer.AsMemory(0, filled)))
                    torrent.Counters.AddUploaded(payload);

                // Other messages wait behind the batch, so a slow peer gets small ones.
                var elapsed = torrent.Now - started;
                most = elapsed < QuickTicks ? Math.Min(2 * most, MostBatch) : elapsed > SlowTicks ? Math.Max(most / 2, LeastBatch) : most;
            }
        }
        catch (OperationCanceledException)
        {
            // The torrent is being closed.
        }
        finally
        {
            Fit(buffer, 0);
        }
    }

    /// <summary>
    /// Takes the next requests: at least one, and no more than fit into <paramref name="most"/> bytes. False if there is none: the loop
    /// then ends.
    /// </summary>
    private bool DequeueBatch(List<(int Piece, int Begin, int Length)> batch, int most)
    {
        batch.Clear();
        most = (int)Math.Min(most, Math.Min(Quantum(torrent.UploadLimit), Quantum(torrent.SharedUploadLimit)));
        lock (torrent.Gate)
        {
            for (var bytes = 0; !peer.IsClosed && _queue.TryPeek(out var request); bytes += HeadSize + request.Length)
            {
                if (batch.Count > 0 && bytes + HeadSize + request.Length > most)
                    break;
                batch.Add(_queue.Dequeue());
                peer.AddUploaded(request.Length);
            }

            return _running = batch.Count > 0;
        }
    }

    /// <summary>
    /// Returns a buffer for this many bytes, at most about four times as large. The old content is lost. 0 = only gives the old buffer
    /// back.
    /// </summary>
    private static byte[] Fit(byte[] buffer, int bytes)
    {
        if (buffer.Length >= bytes && buffer.Length <= 4 * bytes)
            return buffer;
        if (buffer.Length > 0)
            ArrayPool<byte>.Shared.Return(buffer);
        return bytes == 0 ? [] : ArrayPool<byte>.Shared.Rent(bytes);
    }

    /// <summary>Most bytes of one batch under a limit: a tenth of a second's worth, so that peers take turns.</summary>
    private static long Quantum(RateLimit limit) => limit.BytesPerSecond is > 0 and var rate ? rate / 10 : long.MaxValue;

    /// <summary>
    /// Writes the messages of a batch into the buffer, and rejects requests for pieces that are no longer held. Returns the bytes written,
    /// and how many of them belong to blocks.
    /// </summary>
    private async ValueTask<(int Filled, int Payload)> FillAsync(List<(int Piece, int Begin, int Length)> batch, byte[] buffer)
    {
        var (filled, payload) = (0, 0);
        var pieces = torrent.Pieces;
        foreach (var (piece, begin, length) in batch)
        {
            if (pieces is not null && await ReadAsync(pieces, piece, begin, buffer.AsMemory(filled + HeadSize, length)))
            {
                Outbox.PieceHead(buffer.AsSpan(filled), piece, begin, length);
                filled += HeadSize + length;
                payload += length;
            }
            else
            {
                lock (torrent.Gate)
                    Reject(piece, begin, length);
            }
        }

        return (filled, payload);
    }

    private async ValueTask<bool> ReadAsync(TorrentPieces pieces, int piece, int begin, Memory<byte> destination)
    {
        using (var lease = pieces.TryLease(piece, begin, destination.Length))
        {
            if (lease is not null)
            {
                lease.Memory.CopyTo(destination);
                return true;
            }
        }

        for (var filled = 0; filled < destination.Length;)
        {
            var count = await pieces.ReadAsync(piece, begin + filled, destination[filled..], torrent.Stopping);
            if (count == 0)
                return false;
            filled += count;
        }

        return true;
    }
}
