using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using NzbDav.MockSwarm.Pacing;

namespace NzbDav.MockSwarm.Seeders;

/// <summary>
/// A seeder's answers on one connection, in order: control messages at once, blocks as the line lets them pass. Not thread-safe.
/// </summary>
internal sealed class SeederOutbox(SeederState seeder, SeederInbox inbox)
{
    /// <summary>Most bytes passed to the socket at once.</summary>
    private const int Capacity = 256 << 10;

    /// <summary>Larger requests are refused, as in most clients.</summary>
    private const int MostRequest = 128 << 10;

    private const int MetadataPiece = 16 << 10;
    private readonly List<(Incoming Request, long Ready)> _queue = [];
    private byte[] _buffer = new byte[Capacity];
    private int _filled;
    private int _head;
    private int _sinceChoke;
    private long _chokedUntil = -1;
    private bool _interested;
    private bool _unchoked;
    private bool _stalled;
    private long _lineFree;

    /// <summary>The bytes to send now.</summary>
    public ReadOnlyMemory<byte> Filled => _buffer.AsMemory(0, _filled);

    /// <summary>True if the connection has to be closed.</summary>
    public bool IsClosing { get; private set; }

    private bool Fast => seeder.Options.Fast && inbox.Fast;

    public void Sent() => _filled = 0;

    public void Handle(Incoming message, long now)
    {
        switch (message.Kind)
        {
            case IncomingKind.Handshake:
                Greet();
                break;
            case IncomingKind.Interested:
                _interested = true;
                Unchoke(now);
                break;
            case IncomingKind.NotInterested:
                _interested = false;
                break;
            case IncomingKind.Request:
                Request(message, now);
                break;
            case IncomingKind.Cancel:
                Cancel(message);
                break;
            case IncomingKind.MetadataRequest:
                Metadata(message.Piece);
                break;
        }
    }

    /// <summary>Adds the blocks that have passed the line; returns when to call again.</summary>
    public long Fill(long now)
    {
        if (_chokedUntil >= 0 && now >= _chokedUntil)
        {
            _chokedUntil = -1;
            Unchoke(now);
        }

        while (_unchoked && !_stalled && _head < _queue.Count)
        {
            var (request, ready) = _queue[_head];
            if (_filled + request.Length + 13 > Capacity && _filled > 0)
                return now;
            if (!seeder.Line.TryPass(request.Length + 13, Math.Max(ready, _lineFree), now, out var due))
                return _filled > 0 ? now : Line.WakeUp(due);
            _lineFree = due;
            _head++;
            Answer(request);
            ChokeNowAndThen(now);
        }

        if (_head == _queue.Count)
        {
            _queue.Clear();
            _head = 0;
        }

        return _chokedUntil >= 0 ? _chokedUntil : long.MaxValue;
    }

    private void Greet()
    {
        if (!inbox.Hash.AsSpan().SequenceEqual(seeder.Name.Span))
        {
            IsClosing = true;
            return;
        }

        var options = seeder.Options;
        var span = Room(68);
        span.Clear();
        span[0] = 19;
        "BitTorrent protocol"u8.CopyTo(span[1..]);
        span[25] = options.Extensions ? (byte)0x10 : (byte)0;
        span[27] = options.Fast ? (byte)0x04 : (byte)0;
        seeder.Name.Span.CopyTo(span[28..]);
        seeder.PeerId.CopyTo(span[48..]);
        if (options.Extensions && inbox.Extensions)
        {
            var text = string.Create(
                CultureInfo.InvariantCulture,
                $"d1:md11:ut_metadatai3ee13:metadata_sizei{seeder.Torrent.Info.Length}e4:reqqi{options.RequestQueue}e1:v9:MockSwarme");
            Extended(0, Encoding.ASCII.GetBytes(text), []);
        }

        if (Fast && options.Has is null)
            Message(14);
        else
            Bitfield();
    }

    private void Bitfield()
    {
        var count = seeder.Torrent.Content.PieceCount;
        var bytes = new byte[(count + 7) / 8];
        for (var piece = 0; piece < count; piece++)
        {
            if (seeder.Options.Has?.Invoke(piece) ?? true)
                bytes[piece / 8] |= (byte)(0x80 >> (piece % 8));
        }

        var span = Room(5 + bytes.Length);
        BinaryPrimitives.WriteInt32BigEndian(span, 1 + bytes.Length);
        span[4] = 5;
        bytes.CopyTo(span[5..]);
    }

    private void Unchoke(long now)
    {
        if (_unchoked || !_interested || seeder.Options.AlwaysChokes || _chokedUntil > now)
            return;
        _unchoked = true;
        Message(1);
    }

    private void ChokeNowAndThen(long now)
    {
        if (seeder.Options.ChokeAfter == 0 || ++_sinceChoke < seeder.Options.ChokeAfter)
            return;
        _sinceChoke = 0;
        _unchoked = false;
        _chokedUntil = now + seeder.Options.ChokeFor.Ticks;
        Message(0);

        // BEP 6: after a choke every request that will not be served is rejected; without the fast extension all are dropped silently.
        for (; _head < _queue.Count; _head++)
            Reject(_queue[_head].Request);
    }

    private void Request(Incoming request, long now)
    {
        var number = seeder.Counters.Requested();
        var content = seeder.Torrent.Content;
        if ((uint)request.Piece >= (uint)content.PieceCount || request.Length is <= 0 or > MostRequest || request.Begin < 0
            || request.Begin > content.SizeOf(request.Piece) - request.Length)
        {
            IsClosing = true;
            return;
        }

        if (!_unchoked || _queue.Count - _head >= seeder.Options.RequestQueue || !(seeder.Options.Has?.Invoke(request.Piece) ?? true))
        {
            Reject(request);
            return;
        }

        switch (seeder.Options.Act?.Invoke(new BlockRequest(request.Piece, request.Begin, request.Length, number)) ?? BlockAction.Serve)
        {
            case BlockAction.Drop:
                return;
            case BlockAction.Reject:
                Reject(request);
                return;
            case BlockAction.Close:
                IsClosing = true;
                return;
            case BlockAction.Stall:
                _queue.Add((request with { Kind = IncomingKind.Handshake }, now));
                return;
            case BlockAction.Corrupt:
                _queue.Add((request with { Kind = IncomingKind.Cancel }, now));
                return;
            default:
                _queue.Add((request, now));
                return;
        }
    }

    private void Cancel(Incoming cancel)
    {
        seeder.Counters.Cancelled();
        for (var i = _head; i < _queue.Count; i++)
        {
            var request = _queue[i].Request;
            if (request.Piece != cancel.Piece || request.Begin != cancel.Begin)
                continue;
            _queue.RemoveAt(i);
            Reject(request);
            return;
        }
    }

    /// <summary>The message's kind shows what is wrong with the answer: see <see cref="Request"/>.</summary>
    private void Answer(Incoming request)
    {
        var span = Room(13 + request.Length);
        BinaryPrimitives.WriteInt32BigEndian(span, 9 + request.Length);
        span[4] = 7;
        BinaryPrimitives.WriteInt32BigEndian(span[5..], request.Piece);
        BinaryPrimitives.WriteInt32BigEndian(span[9..], request.Begin);
        seeder.Torrent.Content.Piece(request.Piece).Slice(request.Begin, request.Length).CopyTo(span[13..]);
        if (request.Kind == IncomingKind.Cancel)
            span[13 + (request.Length / 2)] ^= 0x55;
        if (request.Kind == IncomingKind.Handshake)
        {
            _filled -= request.Length / 2;
            _stalled = true;
        }

        seeder.Counters.Served(request.Length);
    }

    private void Reject(Incoming request)
    {
        seeder.Counters.Rejected();
        if (!Fast)
            return;
        var span = Room(17);
        BinaryPrimitives.WriteInt32BigEndian(span, 13);
        span[4] = 16;
        BinaryPrimitives.WriteInt32BigEndian(span[5..], request.Piece);
        BinaryPrimitives.WriteInt32BigEndian(span[9..], request.Begin);
        BinaryPrimitives.WriteInt32BigEndian(span[13..], request.Length);
    }

    private void Metadata(int piece)
    {
        if (inbox.MetadataId == 0)
            return;
        var info = seeder.Torrent.Info.Span;
        var begin = (long)piece * MetadataPiece;
        if (piece < 0 || begin >= info.Length)
        {
            Extended(inbox.MetadataId,
                Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"d8:msg_typei2e5:piecei{piece}ee")), []);
            return;
        }

        var head = string.Create(CultureInfo.InvariantCulture, $"d8:msg_typei1e5:piecei{piece}e10:total_sizei{info.Length}ee");
        var part = info.Slice((int)begin, (int)Math.Min(MetadataPiece, info.Length - begin)).ToArray();
        if (seeder.Options.CorruptMetadata)
            part[0] ^= 1;
        Extended(inbox.MetadataId, Encoding.ASCII.GetBytes(head), part);
    }

    private void Extended(int id, ReadOnlySpan<byte> head, ReadOnlySpan<byte> body)
    {
        var span = Room(6 + head.Length + body.Length);
        BinaryPrimitives.WriteInt32BigEndian(span, 2 + head.Length + body.Length);
        span[4] = 20;
        span[5] = (byte)id;
        head.CopyTo(span[6..]);
        body.CopyTo(span[(6 + head.Length)..]);
    }

    private void Message(byte id)
    {
        var span = Room(5);
        BinaryPrimitives.WriteInt32BigEndian(span, 1);
        span[4] = id;
    }

    private Span<byte> Room(int size)
    {
        if (_filled + size > _buffer.Length)
            Array.Resize(ref _buffer, Math.Max(_buffer.Length * 2, _filled + size));
        var span = _buffer.AsSpan(_filled, size);
        _filled += size;
        return span;
    }
}
