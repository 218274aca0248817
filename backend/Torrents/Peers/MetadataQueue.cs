using System.Buffers;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Peers;

/// <summary>
/// The pieces of the info dictionary that one peer asked for (BEP 9), sent one after the other as the peer takes them and within the rate limit. Used under the torrent's lock, but for the loop itself.
/// </summary>
internal sealed class MetadataQueue(IPeerOwner owner, Peer peer)
{
    /// <summary>More are rejected; as many as Transmission holds.</summary>
    private const int MostQueued = 64;

    /// <summary>BEP 9 lets a peer reject after a number of pieces "times a factor".</summary>
    private const int MostRounds = 4;

    private readonly Queue<int> _queue = new();
    private bool _running;
    private long _served;

    /// <summary>A request came; the torrent is described.</summary>
    public void Add(int piece)
    {
        // Nothing can be said to a peer that has no number for it, or has it switched off.
        if (peer.Told.MetadataId == 0)
            return;
        var pieces = MetadataMessage.Pieces(owner.Table!.Info.Raw.Length);
        if (piece >= pieces || _queue.Count >= MostQueued || _served >= (long)pieces * MostRounds)
        {
            Write(MetadataMessage.Reject, piece, data: default);
            owner.MarkDirty(peer);
            return;
        }

        _served++;
        _queue.Enqueue(piece);
        if (_running)
            return;
        _running = true;
        ThreadPool.QueueUserWorkItem(static queue => _ = queue.RunAsync(), this, preferLocal: false);
    }

    private async Task RunAsync()
    {
        try
        {
            while (HasNext())
            {
                await owner.SharedUploadLimit.WaitAsync(MetadataMessage.PieceSize, owner.Stopping);
                SendNext();
                peer.Outbox.Flush();
                await peer.Outbox.DrainedAsync();
            }
        }
        catch (OperationCanceledException)
        {
            // The torrent is being closed.
        }
    }

    private bool HasNext()
    {
        lock (owner.Gate)
            return _running = !peer.IsClosed && _queue.Count > 0;
    }

    private void SendNext()
    {
        lock (owner.Gate)
        {
            var raw = owner.Table!.Info.Raw;
            var piece = _queue.Dequeue();
            Write(MetadataMessage.Data, piece, raw.Span.Slice(piece * MetadataMessage.PieceSize, MetadataMessage.SizeOf(piece, raw.Length)));
        }
    }

    private void Write(int type, int piece, ReadOnlySpan<byte> data)
    {
        if (peer.Told.MetadataId == 0)
            return;
        var head = new ArrayBufferWriter<byte>(64);
        MetadataMessage.Write(head, type, piece, data.IsEmpty ? 0 : owner.Table!.Info.Raw.Length);
        peer.Outbox.Extended(peer.Told.MetadataId, head.WrittenSpan, data);
    }
}
