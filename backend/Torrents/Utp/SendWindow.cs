namespace NzbDav.Torrents.Utp;

/// <summary>Result of an acknowledgement.</summary>
/// <param name="Bytes">Bytes that are acknowledged for the first time.</param>
/// <param name="RoundTrip">Time between sending and acknowledgement, in microseconds; −1 = unknown.</param>
internal readonly record struct Acknowledgement(int Bytes, long RoundTrip);

/// <summary>
/// The packets of a connection that were sent and are not acknowledged, in order. Their numbers have 16 bits and wrap around. Not
/// thread-safe.
/// </summary>
/// <param name="memory">Owner of the buffers.</param>
/// <param name="first">Number of the first packet.</param>
internal sealed class SendWindow(UtpMemory memory, ushort first)
{
    /// <summary>
    /// Most packets at once: full ones with <see cref="UtpMemory.Plenty"/> bytes in all, and some more. Far less than half of all numbers.
    /// </summary>
    private const int Most = 1 << 10;

    /// <summary>Number of later packets that must have arrived before one counts as lost (BEP 29, as in TCP).</summary>
    private const int Overtaken = 3;

    private Slot[] _slots = [];
    private int _lost;
    private long _latest = long.MinValue;

    private enum PacketState : byte
    {
        Flying,
        Arrived,
        Lost,
    }

    /// <summary>Number of the oldest packet.</summary>
    public ushort First { get; private set; } = first;

    /// <summary>Number of packets that are not acknowledged in order.</summary>
    public int Count { get; private set; }

    /// <summary>Number of the next packet.</summary>
    public ushort Next => (ushort)(First + Count);

    /// <summary>Bytes under way, headers included: neither acknowledged nor lost.</summary>
    public int InFlight { get; private set; }

    /// <summary>True if no packet can be added.</summary>
    public bool IsFull => Count == Most;

    /// <summary>True if packets must be sent again.</summary>
    public bool HasLost => _lost > 0;

    /// <summary>
    /// Number of packets that an acknowledgement completes. Negative for an old one. More than <see cref="Count"/> if it refers to a packet
    /// that was never sent.
    /// </summary>
    public int Distance(ushort acknowledged) => (short)(ushort)(acknowledged - First + 1);

    /// <summary>Adds a packet that is being sent.</summary>
    /// <param name="buffer">Rented from the shared memory; owned.</param>
    /// <param name="length">Number of bytes in use.</param>
    /// <param name="type">Type of the packet.</param>
    /// <param name="now">The time.</param>
    public void Add(byte[] buffer, int length, UtpType type, long now)
    {
        if (Count == _slots.Length)
            Grow();
        SlotAt(Count++) = new Slot { Buffer = buffer, Length = length, Type = type, Sent = now };
        InFlight += length;
    }

    /// <summary>Bytes of the oldest packet that must be sent again.</summary>
    public Span<byte> PeekLost(out ushort number, out UtpType type)
    {
        var at = 0;
        while (SlotAt(at).State != PacketState.Lost)
            at++;
        ref var slot = ref SlotAt(at);
        (number, type) = ((ushort)(First + at), slot.Type);
        return slot.Buffer.AsSpan(0, slot.Length);
    }

    /// <summary>Records that a packet is being sent again.</summary>
    public void Resent(ushort number, long now)
    {
        ref var slot = ref SlotAt((ushort)(number - First));
        slot.IsRepeated = true;
        slot.Sent = now;
        slot.State = PacketState.Flying;
        InFlight += slot.Length;
        _lost--;
    }

    /// <summary>Handles an acknowledgement whose <see cref="Distance"/> is between 0 and <see cref="Count"/>.</summary>
    /// <param name="packet">The packet with the acknowledgement.</param>
    /// <param name="now">The time.</param>
    public Acknowledgement Acknowledge(in UtpPacket packet, long now)
    {
        var (bytes, sample) = (0, -1L);
        var completed = Distance(packet.Acknowledged);
        for (var i = 0; i < completed; i++)
        {
            Arrive(ref SlotAt(0), now, ref bytes, ref sample);
            First++;
            Count--;
        }

        // Bit 0 stands for the packet after the first missing one.
        for (var i = 0; i < packet.Selective.Length * 8 && i + 1 < Count; i++)
        {
            if ((packet.Selective[i / 8] & (1 << (i % 8))) != 0)
                Arrive(ref SlotAt(i + 1), now, ref bytes, ref sample);
        }

        return new Acknowledgement(bytes, sample);
    }

    /// <summary>
    /// Marks packets as lost that were overtaken by three later ones. A repeated one counts as lost again only if a packet sent a quarter
    /// of a round trip later has arrived.
    /// </summary>
    /// <returns>True if there are any.</returns>
    public bool FindLost(long roundTrip)
    {
        var before = _lost;
        for (var (at, arrived) = (Count - 1, 0); at >= 0; at--)
        {
            ref var slot = ref SlotAt(at);
            if (slot.State == PacketState.Arrived)
                arrived++;
            else if (slot.State == PacketState.Flying && arrived >= Overtaken
                && slot.Sent + (slot.IsRepeated ? (roundTrip / 4) + 1 : 0) <= _latest)
                MarkLost(ref slot);
        }

        return _lost > before;
    }

    /// <summary>Marks the oldest packet as lost, because three consecutive acknowledgements stop before it.</summary>
    /// <returns>False if the packet is already marked as lost, or was sent again.</returns>
    public bool MarkFirstLost()
    {
        if (Count == 0 || SlotAt(0) is { State: not PacketState.Flying } or { IsRepeated: true })
            return false;
        MarkLost(ref SlotAt(0));
        return true;
    }

    /// <summary>Marks all packets that have not arrived as lost, because nothing was acknowledged in time.</summary>
    public void MarkAllLost()
    {
        for (var at = 0; at < Count; at++)
        {
            if (SlotAt(at).State == PacketState.Flying)
                MarkLost(ref SlotAt(at));
        }
    }

    /// <summary>Returns all buffers.</summary>
    public void Clear()
    {
        for (; Count > 0; Count--, First++)
        {
            if (SlotAt(0).Buffer is { } buffer)
                memory.Return(buffer);
        }

        (_slots, _lost, InFlight) = ([], 0, 0);
    }

    private void Arrive(ref Slot slot, long now, ref int bytes, ref long sample)
    {
        if (slot.State == PacketState.Arrived)
            return;
        if (slot.State == PacketState.Lost)
            _lost--;
        else
            InFlight -= slot.Length;

        // Karn's algorithm: it is unknown which of two copies arrived.
        if (!slot.IsRepeated)
            sample = now - slot.Sent;
        _latest = Math.Max(_latest, slot.Sent);
        bytes += slot.Length;
        slot.State = PacketState.Arrived;
        memory.Return(slot.Buffer!);
        slot.Buffer = null;
    }

    private void MarkLost(ref Slot slot)
    {
        slot.State = PacketState.Lost;
        InFlight -= slot.Length;
        _lost++;
    }

    private ref Slot SlotAt(int at) => ref _slots[(First + at) & (_slots.Length - 1)];

    private void Grow()
    {
        var larger = new Slot[Math.Max(16, _slots.Length * 2)];
        for (var at = 0; at < Count; at++)
            larger[(First + at) & (larger.Length - 1)] = SlotAt(at);
        _slots = larger;
    }

    private struct Slot
    {
        /// <summary>Null once the packet has arrived.</summary>
        public byte[]? Buffer;
        public int Length;
        public UtpType Type;
        public PacketState State;
        public bool IsRepeated;
        public long Sent;
    }
}
