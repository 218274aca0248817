using System.Buffers;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// Fetches the info dictionary from peers (BEP 9) when only its hash is known. Each peer is sent requests for a few pieces at a time. A
/// rejected or late piece is requested from another peer, and from the same one later. If pieces from several peers together do not match
/// the hash, the culprit is unknown; from then on one peer at a time sends all of it. Used under the torrent's lock.
/// </summary>
/// <param name="hash">The torrent.</param>
/// <param name="peers">The torrent's peers.</param>
internal sealed class MetadataExchange(InfoHash hash, List<Peer> peers)
{
    /// <summary>A peer counts as silent if it sends none of the requested pieces for this long, in ticks.</summary>
    private static readonly long SilenceTimeout = 3 * TimeSpan.TicksPerSecond;

    private readonly ArrayBufferWriter<byte> _head = new(64);
    private int _size;
    private byte[]? _bytes;

    /// <summary>By piece: the number of the peer that sent it; 0 = missing.</summary>
    private int[] _senders = [];

    /// <summary>By piece: how many peers are expected to send it.</summary>
    private int[] _copies = [];

    private int _missing;
    private int _firstMissing;
    private long _progress;
    private bool _oneByOne;
    private Peer? _only;

    /// <summary>Requests missing pieces from all peers that can be asked. Call once a second, and when a peer has joined.</summary>
    public void Refill(long now)
    {
        foreach (var peer in peers)
        {
            if (peer.Metadata is { Requested.Count: > 0 } source && now - source.LastPieceAt > SilenceTimeout)
                GiveUp(peer, source, now);
        }

        ChooseSize(now);
        if (_oneByOne && (_only is null || !CanRequest(_only, now)) && _only?.Metadata is not { Requested.Count: > 0 })
            SwitchSource(now);
        foreach (var peer in peers)
            Refill(peer, now);
    }

    /// <summary>Call when a peer has left: its pieces are requested from others.</summary>
    public void OnPeerLeft(Peer peer, long now)
    {
        if (peer.Metadata is not { } source)
            return;
        GiveUp(peer, source, now);
        Refill(now);
    }

    /// <summary>
    /// Handles a message of the exchange. Returns the info dictionary if the message completes it and the hash matches. Sets
    /// <paramref name="liar"/> if the hash does not match and all of it came from this peer.
    /// </summary>
    public byte[]? Handle(Peer peer, ReadOnlySpan<byte> payload, long now, out bool liar)
    {
        liar = false;
        if (peer.Metadata is not { } source || !MetadataMessage.TryRead(payload, out var message) || !source.Expects(message.Piece))
            return null;
        var piece = message.Piece;
        var data = payload[message.DataStart..];
        if (message.Type != MetadataMessage.Data || data.Length != MetadataMessage.SizeOf(piece, _size))
        {
            if (source.OnRejected(piece, now))
                _copies[piece]--;
            Refill(now);
            return null;
        }

        if (source.OnPieceReceived(piece, now))
            _copies[piece]--;
        if (_senders[piece] == 0)
            Put(peer, piece, data, now);
        if (_missing > 0)
        {
            Refill(peer, now);
            return null;
        }

        var whole = _bytes.AsSpan(0, _size);
        if (InfoHash.Of(whole) == hash)
            return whole.ToArray();
        liar = Array.TrueForAll(_senders, sender => sender == peer.Number);
        if (liar)
            source.Ban();
        else
            _oneByOne = true;
        _only = null;
        Restart(_size, now);
        Refill(now);
        return null;
    }

    private static bool CanRequest(Peer peer, long now) =>
        peer.ExtensionHandshake is { MetadataId: > 0, MetadataSize: > 0 } && !peer.IsClosed && !peer.Connection.IsClosing
            && (peer.Metadata?.NotBefore ?? 0) <= now;

    private void Refill(Peer peer, long now)
    {
        if (peer.ExtensionHandshake.MetadataSize != _size || !CanRequest(peer, now) || (_oneByOne && peer != _only))
            return;
        var source = peer.UseMetadata();
        for (var piece = _firstMissing; piece < _senders.Length && source.Requested.Count < source.Window; piece++)
        {
            if (_senders[piece] != 0)
            {
                if (piece == _firstMissing)
                    _firstMissing++;
                continue;
            }

            if (_copies[piece] == 0)
                SendRequest(peer, source, piece, now);
        }
    }

    private void SendRequest(Peer peer, MetadataSource source, int piece, long now)
    {
        source.AddRequest(piece, now);
        _copies[piece]++;
        _head.ResetWrittenCount();
        MetadataMessage.Write(_head, MetadataMessage.Request, piece);
        peer.Outbox.Extended(peer.ExtensionHandshake.MetadataId, _head.WrittenSpan);
        peer.MarkDirty();
    }

    private void GiveUp(Peer peer, MetadataSource source, long now)
    {
        foreach (var piece in source.Requested)
            _copies[piece]--;
        source.GiveUp(now);
        if (_only == peer)
            _only = null;
    }

    private void Put(Peer peer, int piece, ReadOnlySpan<byte> data, long now)
    {
        var at = piece * MetadataMessage.PieceSize;
        _bytes = Room(_bytes, at + data.Length, _size);
        data.CopyTo(_bytes.AsSpan(at));
        _senders[piece] = peer.Number;
        _progress = now;
        _missing--;
    }

    /// <summary>
    /// Chooses the size that most peers report. On a tie the current one stays as long as pieces arrive: with a false size they stop
    /// arriving.
    /// </summary>
    private void ChooseSize(long now)
    {
        var isStuck = now - _progress > SilenceTimeout && !peers.Exists(static peer => peer.Metadata is { Requested.Count: > 0 });
        var best = _size;
        var most = 0;
        foreach (var sameSize in peers.Where(peer => CanRequest(peer, now) || peer.Metadata is { Requested.Count: > 0 })
            .GroupBy(static peer => peer.ExtensionHandshake.MetadataSize))
        {
            var count = sameSize.Count();
            if (isStuck && sameSize.Key == _size)
                continue;
            if (count > most || (count == most && sameSize.Key == _size))
                (best, most) = (sameSize.Key, count);
        }

        if (best != _size && best != 0)
            Restart(best, now);
    }

    /// <summary>Chooses another peer to send the whole dictionary, if there is one.</summary>
    private void SwitchSource(long now)
    {
        var next = peers.FindAll(peer => peer != _only && peer.ExtensionHandshake.MetadataSize == _size && CanRequest(peer, now))
            .MinBy(static peer => peer.Metadata?.FullRequests ?? 0);
        if (next is null)
            return;
        _only = next;
        next.UseMetadata().CountFullRequest();
        Restart(_size, now);
    }

    private void Restart(int size, long now)
    {
        foreach (var peer in peers)
            peer.Metadata?.Restart();
        _size = size;
        _progress = now;

        // Memory is allocated only as bytes arrive: claiming a large size costs a peer nothing.
        _bytes = null;
        _firstMissing = 0;
        _missing = MetadataMessage.Pieces(size);
        _senders = new int[_missing];
        _copies = new int[_missing];
    }

    private static byte[] Room(byte[]? bytes, int needed, int size)
    {
        if (bytes is not null && bytes.Length >= needed)
            return bytes;
        var larger = new byte[Math.Min(size, Math.Max(needed, (bytes?.Length ?? 0) * 2))];
        bytes?.CopyTo(larger, 0);
        return larger;
    }
}
