using System.Buffers;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Peers;

/// <summary>
/// The pieces of the info dictionary that one peer has requested (BEP 9). They are sent one after the other, as the peer takes them and
/// within the rate limit. Used under the torrent's lock, except for the loop itself.
/// </summary>
internal sealed class MetadataQueue(IPeerOwner torrent, Peer peer)
{
    /// <summary>Most queued requests, as in Transmission; further ones are rejected.</summary>
    private const int MostQueued = 64;

    /// <summary>
    /// How often one peer may request the whole dictionary; further requests are rejected. BEP 9 allows that after a number of pieces
    /// "times a factor".
    /// </summary>
    private const int MostRounds = 4;

    private readonly Queue<int> _queue = new();
    private bool _running;
    private long _served;

    /// <summary>Queues a request, or rejects it. The info dictionary must be known.</summary>
    public void Add(int piece)
    {
        // A peer that sent no id for ut_metadata, or has switched it off, cannot be answered.
        if (peer.ExtensionHandshake.MetadataId == 0)
            return;
        var pieces = MetadataMessage.Pieces(torrent.Table!.Info.Raw.Length);
        if (piece >= pieces || _queue.Count >= MostQueued || _served >= (long)pieces * MostRounds)
        {
            Write(MetadataMessage.Reject, piece, data: default);
            peer.MarkDirty();
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
                await torrent.SharedUploadLimit.WaitAsync(MetadataMessage.PieceSize, torrent.Stopping);
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
        lock (torrent.Gate)
            return _running = !peer.IsClosed && _queue.Count > 0;
    }

    private void SendNext()
    {
        lock (torrent.Gate)
        {
            var raw = torrent.Table!.Info.Raw;
            var piece = _queue.Dequeue();
            Write(MetadataMessage.Data, piece,
                raw.Span.Slice(piece * MetadataMessage.PieceSize, MetadataMessage.SizeOf(piece, raw.Length)));
        }
    }

    private void Write(int type, int piece, ReadOnlySpan<byte> data)
    {
        if (peer.ExtensionHandshake.MetadataId == 0)
            return;
        var head = new ArrayBufferWriter<byte>(64);
        MetadataMessage.Write(head, type, piece, data.IsEmpty ? 0 : torrent.Table!.Info.Raw.Length);
        peer.Outbox.Extended(peer.ExtensionHandshake.MetadataId, head.WrittenSpan, data);
    }
}
