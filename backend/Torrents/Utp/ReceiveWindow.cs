namespace NzbDav.Torrents.Utp;

/// <summary>What a packet that arrived is.</summary>
internal enum Arrival
{
    /// <summary>It is the next one.</summary>
    Next,

    /// <summary>It is stored until those before it have arrived, or it filled a gap.</summary>
    Gap,

    /// <summary>It is a duplicate, or lies beyond the end of the stream.</summary>
    Useless,

    /// <summary>There is no room for it.</summary>
    NoRoom,
}

/// <summary>
/// The bytes of a connection that have arrived and are not read yet, and packets that arrived out of order. Not thread-safe.
/// </summary>
/// <param name="memory">Owner of the buffers.</param>
internal sealed class ReceiveWindow(UtpMemory memory)
{
    /// <summary>
    /// Most packets after the first missing one. A power of two. Their bits in a selective acknowledgement take 64 bytes.
    /// </summary>
    private const int Ahead = 512;

    private const int LeastRing = 16 << 10;

    private byte[] _ring = [];
    private int _start;
    private (byte[] Buffer, int Length, bool IsHere)[] _early = [];
    private int _earlyCount;
    private int _earlyBytes;
    private int _end = -1;

    /// <summary>Number of the last packet before which none is missing.</summary>
    public ushort Last { get; private set; }

    /// <summary>Bytes that can be read.</summary>
    public int Available { get; private set; }

    /// <summary>Bytes that the peer may send now.</summary>
    public int Room => Math.Max(0, memory.LimitPerConnection - Available - _earlyBytes);

    /// <summary>True if the peer has closed, and everything that it sent before that has arrived.</summary>
    public bool IsEnded => _end == Last;

    /// <summary>True while a packet is missing.</summary>
    public bool HasGap => _earlyCount > 0;

    /// <summary>Sets the number before that of the peer's first packet.</summary>
    public void Begin(ushort last) => Last = last;

    /// <summary>Adds a packet of data or the end of the stream.</summary>
    public Arrival Add(in UtpPacket packet)
    {
        var isEnd = packet.Type == UtpType.Fin;
        var payload = isEnd ? [] : packet.Payload;
        var distance = (short)(ushort)(packet.Sequence - Last);
        if (distance <= 0 || (_end >= 0 && (isEnd ? packet.Sequence != _end : (short)(ushort)(_end - packet.Sequence) <= 0)))
            return Arrival.Useless;
        if (distance > Ahead + 1 || payload.Length > memory.LimitPerConnection - Available - _earlyBytes)
            return Arrival.NoRoom;
        if (distance > 1)
            return Keep(packet.Sequence, payload, isEnd);
        if (!Append(payload, isAcknowledged: false))
            return Arrival.NoRoom;
        if (isEnd)
            _end = packet.Sequence;
        Last++;
        var filled = _earlyCount > 0;
        while (_earlyCount > 0 && Release())
        {
            // The packet after it has arrived as well.
        }

        return filled ? Arrival.Gap : Arrival.Next;
    }

    /// <summary>Reads bytes in order. Returns their number.</summary>
    public int Read(Span<byte> to)
    {
        var count = Math.Min(to.Length, Available);
        var first = Math.Min(count, _ring.Length - _start);
        _ring.AsSpan(_start, first).CopyTo(to);
        _ring.AsSpan(0, count - first).CopyTo(to[first..]);
        Available -= count;
        _start = Available == 0 ? 0 : (_start + count) % _ring.Length;
        return count;
    }

    /// <summary>Writes the bits of a selective acknowledgement. Returns their size in bytes; 0 if no packet arrived out of order.</summary>
    public int WriteSelective(Span<byte> to)
    {
        if (_earlyCount == 0)
            return 0;
        to = to[..(Ahead / 8)];
        to.Clear();
        var highest = 0;
        for (var (i, left) = (0, _earlyCount); left > 0; i++)
        {
            if (!EarlyAt((ushort)(Last + 2 + i)).IsHere)
                continue;
            to[i / 8] |= (byte)(1 << (i % 8));
            highest = i;
            left--;
        }

        return ((highest / 32) + 1) * 4;
    }

    /// <summary>Returns empty buffers to their owner.</summary>
    public void Trim()
    {
        if (Available == 0)
            Resize(0);
        if (_earlyCount == 0)
            _early = [];
    }

    /// <summary>Drops everything and returns all buffers.</summary>
    public void Clear()
    {
        (Available, _start) = (0, 0);
        foreach (var (buffer, length, isHere) in _early)
        {
            if (isHere && length > 0)
                memory.Return(buffer);
        }

        (_early, _earlyCount, _earlyBytes) = ([], 0, 0);
        Resize(0);
    }

    private Arrival Keep(ushort number, ReadOnlySpan<byte> payload, bool isEnd)
    {
        if (_early.Length == 0)
            _early = new (byte[], int, bool)[Ahead];
        ref var slot = ref EarlyAt(number);
        if (slot.IsHere)
            return Arrival.Useless;
        byte[] buffer = [];
        if (payload.Length > 0)
        {
            if (memory.TryRent(payload.Length) is not { } rented)
                return Arrival.NoRoom;
            payload.CopyTo(buffer = rented);
        }

        if (isEnd)
            _end = number;
        slot = (buffer, payload.Length, true);
        _earlyCount++;
        _earlyBytes += payload.Length;
        return Arrival.Gap;
    }

    private bool Release()
    {
        ref var slot = ref EarlyAt((ushort)(Last + 1));
        if (!slot.IsHere || IsEnded)
            return false;
        Append(slot.Buffer.AsSpan(0, slot.Length), isAcknowledged: true);
        if (slot.Length > 0)
            memory.Return(slot.Buffer);
        _earlyCount--;
        _earlyBytes -= slot.Length;
        slot = default;
        Last++;
        return true;
    }

    /// <summary>
    /// Appends bytes. False if there is no memory. Bytes that were already acknowledged (<paramref name="isAcknowledged"/>) are never
    /// refused, because the peer does not send them again.
    /// </summary>
    private bool Append(ReadOnlySpan<byte> bytes, bool isAcknowledged)
    {
        if (Available + bytes.Length > _ring.Length && !Resize(Math.Max(LeastRing, Available + bytes.Length), isAcknowledged))
            return false;
        if (bytes.IsEmpty)
            return true;
        var at = (_start + Available) % _ring.Length;
        var first = Math.Min(bytes.Length, _ring.Length - at);
        bytes[..first].CopyTo(_ring.AsSpan(at));
        bytes[first..].CopyTo(_ring);
        Available += bytes.Length;
        return true;
    }

    private bool Resize(int size, bool isAcknowledged = false)
    {
        if ((size == 0 ? [] : isAcknowledged ? memory.Rent(size) : memory.TryRent(size)) is not { } other)
            return false;

        var count = Available;
        Read(other);
        (Available, _start) = (count, 0);
        if (_ring.Length > 0)
            memory.Return(_ring);
        _ring = other;
        return true;
    }

    private ref (byte[] Buffer, int Length, bool IsHere) EarlyAt(ushort number) => ref _early[number % Ahead];
}
