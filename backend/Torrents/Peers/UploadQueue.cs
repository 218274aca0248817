using System.Buffers;
using NzbDav.Torrents.Storage;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Peers;

/// <summary>
/// What one peer asked of us, answered in order from the buffers that were hashed or from disk, within the rate limit. A few blocks are put together and sent in one call, as many as the peer takes in a
/// moment: a peer that does not read holds no more memory than those. Used under the torrent's lock, but for the loop itself.
/// </summary>
internal sealed class UploadQueue(IPeerOwner owner, Peer peer)
{
    /// <summary>Larger requests are refused; clients ask for 16 KiB.</summary>
    private const int MostLength = 128 << 10;

    /// <summary>What stands before a block.</summary>
    private const int HeadSize = 13;

    /// <summary>Bytes that are sent at once at first, and to a slow peer: one block.</summary>
    private const int LeastBatch = HeadSize + (16 << 10);

    /// <summary>Bytes that are sent at once at most: fifteen blocks. Each call costs about as much as a block's bytes do; more gain nothing, and leave the second-level cache.</summary>
    private const int MostBatch = 256 << 10;

    /// <summary>A peer that takes a batch within so long is sent more at once.</summary>
    private const long QuickTicks = 50 * TimeSpan.TicksPerMillisecond;

    /// <summary>A peer that takes longer is sent less at once.</summary>
    private const long SlowTicks = 200 * TimeSpan.TicksPerMillisecond;

    private readonly Queue<(int Piece, int Begin, int Length)> _queue = new();
    private bool _running;

    /// <summary>A request came. A sentence if the peer is to be let go.</summary>
    public string? Add(int piece, int begin, int length)
    {
        if (owner.Table is not { } table || (uint)piece >= (uint)table.Info.PieceCount || begin < 0 || length is <= 0 or > MostLength
            || begin > table.Info.SizeOf(piece) - length)
            return "The peer asked for a block that does not exist.";
        if (_queue.Count >= Metadata.ExtensionHandshake.OurRequestQueue)
            return "The peer asked for more than it may.";
        if (!table.Have[piece] || (peer.IsChoked && !TryGrant(piece, length)))
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

    /// <summary>A block that is served though the peer is choked (BEP 6): each of a few pieces about once.</summary>
    private bool TryGrant(int piece, int length)
    {
        if (peer.Granted is not { } granted || peer.GrantedBytes < length || !granted.Contains(piece))
            return false;
        peer.GrantedBytes -= length;
        return true;
    }

    /// <summary>The peer no longer wants a block. With BEP 6 a cancel is answered.</summary>
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

    /// <summary>The peer is choked: nothing more is served. BEP 6 wants every request answered.</summary>
    public void RejectAll()
    {
        while (_queue.TryDequeue(out var request))
            Reject(request.Piece, request.Begin, request.Length);
    }

    private void Reject(int piece, int begin, int length)
    {
        if (peer.Fast)
            peer.Outbox.Block(MessageId.RejectRequest, piece, begin, length);
        owner.MarkDirty(peer);
    }

    private async Task RunAsync()
    {
        byte[] buffer = [];
        var batch = new List<(int Piece, int Begin, int Length)>();
        var most = LeastBatch;
        try
        {
            while (TakeBatch(batch, most))
            {
                var bytes = batch.Sum(static request => request.Length);
                await owner.UploadLimit.WaitAsync(bytes, owner.Stopping);
                await owner.SharedUploadLimit.WaitAsync(bytes, owner.Stopping);
                buffer = Fit(buffer, bytes + (HeadSize * batch.Count));
                var filled = await FillAsync(batch, buffer);
                var began = owner.Now;
                if (filled > 0)
                    await peer.Outbox.SendAsync(buffer.AsMemory(0, filled));
                else
                    peer.Outbox.Flush();

                // What is said in between waits behind it: to a peer that takes it slowly little is sent at once.
                var took = owner.Now - began;
                most = took < QuickTicks ? Math.Min(2 * most, MostBatch) : took > SlowTicks ? Math.Max(most / 2, LeastBatch) : most;
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

    /// <summary>Takes the next requests: at least one, and no more than fit together. False if there is none: then the loop ends.</summary>
    private bool TakeBatch(List<(int Piece, int Begin, int Length)> batch, int most)
    {
        batch.Clear();
        most = (int)Math.Min(most, Math.Min(Quantum(owner.UploadLimit), Quantum(owner.SharedUploadLimit)));
        lock (owner.Gate)
        {
            for (var bytes = 0; !peer.IsClosed && _queue.TryPeek(out var request); bytes += HeadSize + request.Length)
            {
                if (batch.Count > 0 && bytes + HeadSize + request.Length > most)
                    break;
                batch.Add(_queue.Dequeue());
                peer.Took(request.Length);
            }

            return _running = batch.Count > 0;
        }
    }

    /// <summary>A buffer that holds so much, and not many times more; what was there is gone. 0 = none.</summary>
    private static byte[] Fit(byte[] buffer, int bytes)
    {
        if (buffer.Length >= bytes && buffer.Length <= 4 * bytes)
            return buffer;
        if (buffer.Length > 0)
            ArrayPool<byte>.Shared.Return(buffer);
        return bytes == 0 ? [] : ArrayPool<byte>.Shared.Rent(bytes);
    }

    /// <summary>A limit is kept over tenths of a second, so that peers take turns within it.</summary>
    private static long Quantum(RateLimit limit) => limit.BytesPerSecond is > 0 and var rate ? rate / 10 : long.MaxValue;

    /// <summary>Puts the messages of a batch into the buffer one after the other; what is held no longer is rejected. Returns their bytes.</summary>
    private async ValueTask<int> FillAsync(List<(int Piece, int Begin, int Length)> batch, byte[] buffer)
    {
        var filled = 0;
        var pieces = owner.Pieces;
        foreach (var (piece, begin, length) in batch)
        {
            if (pieces is not null && await ReadAsync(pieces, piece, begin, buffer.AsMemory(filled + HeadSize, length)))
            {
                Outbox.PieceHead(buffer.AsSpan(filled), piece, begin, length);
                filled += HeadSize + length;
                owner.AddUploaded(length);
            }
            else
            {
                lock (owner.Gate)
                    Reject(piece, begin, length);
            }
        }

        return filled;
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
            var count = await pieces.ReadAsync(piece, begin + filled, destination[filled..], owner.Stopping);
            if (count == 0)
                return false;
            filled += count;
        }

        return true;
    }
}
