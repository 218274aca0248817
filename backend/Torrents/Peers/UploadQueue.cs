using System.Buffers;
using NzbDav.Torrents.Scheduling;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Peers;

/// <summary>
/// What one peer asked of us, answered in order from the buffers that were hashed or from disk, within the rate limit. One block at a time is
/// handed to the outbox, so that a peer which does not read holds no memory. Used under the torrent's lock, but for the loop itself.
/// </summary>
internal sealed class UploadQueue(Swarm swarm, Peer peer)
{
    /// <summary>Larger requests are refused; clients ask for 16 KiB.</summary>
    private const int MostLength = 128 << 10;

    private readonly Queue<(int Piece, int Begin, int Length)> _queue = new();
    private bool _running;

    /// <summary>A request came. A sentence if the peer is to be let go.</summary>
    public string? Add(int piece, int begin, int length)
    {
        if (swarm.Table is not { } table || (uint)piece >= (uint)table.Info.PieceCount || begin < 0 || length is <= 0 or > MostLength
            || begin > table.Info.SizeOf(piece) - length)
            return "The peer asked for a block that does not exist.";
        if (_queue.Count >= Metadata.ExtensionHandshake.OurRequestQueue)
            return "The peer asked for more than it may.";
        if (peer.IsChoked || !table.Have[piece])
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
        swarm.MarkDirty(peer);
    }

    private async Task RunAsync()
    {
        var buffer = ArrayPool<byte>.Shared.Rent(MostLength);
        try
        {
            while (TryNext(out var request))
            {
                await swarm.UploadLimit.WaitAsync(request.Length, swarm.Stopping);
                await swarm.Context.UploadLimit.WaitAsync(request.Length, swarm.Stopping);
                if (await ReadAsync(request.Piece, request.Begin, buffer.AsMemory(0, request.Length)))
                {
                    peer.Outbox.Piece(request.Piece, request.Begin, buffer.AsSpan(0, request.Length));
                    swarm.Counters.AddUploaded(request.Length);
                }
                else
                {
                    lock (swarm.Gate)
                        Reject(request.Piece, request.Begin, request.Length);
                }

                peer.Outbox.Flush();
                await peer.Outbox.DrainedAsync();
            }
        }
        catch (OperationCanceledException)
        {
            // The torrent is being closed.
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    private bool TryNext(out (int Piece, int Begin, int Length) request)
    {
        lock (swarm.Gate)
        {
            request = default;
            if (!peer.IsClosed && _queue.TryDequeue(out request))
            {
                peer.Took(request.Length);
                return true;
            }

            _running = false;
            return false;
        }
    }

    private async ValueTask<bool> ReadAsync(int piece, int begin, Memory<byte> destination)
    {
        if (swarm.Pieces is not { } pieces)
            return false;
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
            var count = await pieces.ReadAsync(piece, begin + filled, destination[filled..], swarm.Stopping);
            if (count == 0)
                return false;
            filled += count;
        }

        return true;
    }
}
