using System.Diagnostics;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Peers;

/// <summary>A block requested from a peer.</summary>
/// <param name="Slot">The piece, which may have been closed since; null = removed from the ring.</param>
/// <param name="Block">Index in the piece.</param>
/// <param name="RequestedAt">When it was requested, in ticks.</param>
/// <param name="Cancelled">True if a cancel was sent; the peer answers with the block or a reject (BEP 6).</param>
internal record struct Request(PieceSlot? Slot, int Block, long RequestedAt, bool Cancelled)
{
    public readonly bool IsLive => Slot is not null;
}

/// <summary>
/// The requests to one peer, in order. Peers nearly always answer in order, so the answered request is at the front; otherwise it is
/// searched for, among at most as many as the queue's limit. Not thread-safe; allocates only when it grows.
/// </summary>
internal sealed class RequestRing
{
    private const int Least = 16;

    private Request[] _items = new Request[Least];
    private int _head;
    private int _span;

    /// <summary>Requests whose answer is expected.</summary>
    public int Count { get; private set; }

    /// <summary>How many of them were cancelled.</summary>
    public int Cancelled { get; private set; }

    /// <summary>True while a cancelled request has not been answered.</summary>
    public bool HasCancelled => Cancelled > 0;

    /// <summary>Positions in use, gaps included. <see cref="At"/> accepts smaller ones.</summary>
    public int Span => _span;

    public ref Request At(int position) => ref _items[(_head + position) & (_items.Length - 1)];

    public void Add(in Request request)
    {
        if (_span == _items.Length)
            Grow();
        _items[(_head + _span) & (_items.Length - 1)] = request;
        _span++;
        Count++;
    }

    /// <summary>Position of a request; −1 if there is none.</summary>
    public int Find(int piece, int block)
    {
        for (var i = 0; i < _span; i++)
        {
            ref var item = ref At(i);
            if (item.Block == block && item.Slot is { } slot && slot.Index == piece)
                return i;
        }

        return -1;
    }

    /// <summary>Removes the request at a position.</summary>
    public void RemoveAt(int position)
    {
        ref var item = ref At(position);
        Debug.Assert(item.IsLive, "a request is taken out once");
        Count--;
        if (item.Cancelled)
            Cancelled--;
        item.Slot = null;
        while (_span > 0 && !At(0).IsLive)
        {
            _head = (_head + 1) & (_items.Length - 1);
            _span--;
        }
    }

    /// <summary>Call when a cancel has been sent.</summary>
    public void MarkCancelled(int position)
    {
        ref var item = ref At(position);
        if (item.Cancelled)
            return;
        item.Cancelled = true;
        Cancelled++;
    }

    public void Clear()
    {
        Array.Clear(_items);
        _head = _span = Count = Cancelled = 0;
    }

    /// <summary>Shrinks to the initial size if no request is outstanding.</summary>
    public void Trim()
    {
        if (Count > 0 || _items.Length == Least)
            return;
        _items = new Request[Least];
        _head = _span = 0;
    }

    private void Grow()
    {
        var larger = new Request[_items.Length * 2];
        for (var i = 0; i < _span; i++)
            larger[i] = At(i);
        _items = larger;
        _head = 0;
    }
}
