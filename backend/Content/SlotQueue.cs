namespace NzbDav.Content;

/// <summary>A segment that a reader has requested.</summary>
/// <param name="Extent">The place of its bytes in the file.</param>
/// <param name="Flight">Held until the slot is closed.</param>
internal readonly record struct Slot(Extent Extent, SegmentFlight Flight);

/// <summary>The segments that a reader has requested, in reading order. Guarded by the reader's lock.</summary>
/// <param name="cache">The cache that flights are closed in.</param>
internal sealed class SlotQueue(SegmentCache cache)
{
    private readonly Queue<Slot> _slots = new();

    public int Count => _slots.Count;

    /// <summary>Bytes of the file covered by the slots.</summary>
    public long Bytes { get; private set; }

    /// <summary>The extent to request next.</summary>
    public int NextExtent { get; set; }

    public Queue<Slot>.Enumerator GetEnumerator() => _slots.GetEnumerator();

    /// <summary>The slot being read.</summary>
    public Slot Head => _slots.Peek();

    /// <summary>Adds the slot of the next extent.</summary>
    public void Add(Extent extent, SegmentFlight flight)
    {
        _slots.Enqueue(new Slot(extent, flight));
        Bytes += extent.Length;
        NextExtent++;
    }

    /// <summary>Removes the head; the caller closes its flight.</summary>
    public Slot DequeueHead()
    {
        var head = _slots.Dequeue();
        Bytes -= head.Extent.Length;
        return head;
    }

    /// <summary>Closes all but the first <paramref name="keep"/> slots.</summary>
    public void CloseFrom(int keep)
    {
        for (int place = 0, count = _slots.Count; place < count; place++)
        {
            var slot = _slots.Dequeue();
            if (place < keep)
            {
                _slots.Enqueue(slot);
                continue;
            }

            NextExtent--;
            Bytes -= slot.Extent.Length;
            cache.Close(slot.Flight);
        }
    }
}
