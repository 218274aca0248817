using NzbDav.Content;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Pieces;

/// <summary>The state of each piece of a torrent, and how many peers have it. Used under the torrent's lock.</summary>
internal sealed class PieceTable(TorrentInfo info, BitField have, BufferPool pool, IBudgetWaiter waiter)
{
    /// <summary>Closed slots kept for reuse: as many as are open at once if pieces have 1 MiB.</summary>
    private const int MostUnused = 128;

    private readonly PieceSlot?[] _slots = new PieceSlot?[info.PieceCount];
    private readonly ushort[] _availability = new ushort[info.PieceCount];
    private readonly List<PieceSlot> _open = [];
    private readonly Stack<PieceSlot> _unused = [];
    private readonly ByteSpan[] _padding = PaddingOf(info);
    private int _firstMissing;

    public TorrentInfo Info { get; } = info;

    /// <summary>
    /// The pieces that are held, as far as the torrent has been notified. A view of the store's states, which change earlier. Changed by
    /// <see cref="MarkHeld"/> and <see cref="MarkDropped"/> only.
    /// </summary>
    public BitField Have { get; } = have;

    /// <summary>The bit field of a seed, shared by all seeds. Do not modify it.</summary>
    public BitField All => field ??= Full(Info.PieceCount);

    /// <summary>Pieces that are being received.</summary>
    public IReadOnlyList<PieceSlot> Open => _open;

    /// <summary>Number of connected peers that have everything; they are not counted piece by piece.</summary>
    public int Seeds { get; set; }

    public PieceSlot? Slot(int piece) => _slots[piece];

    /// <summary>How many connected peers have a piece.</summary>
    public int Availability(int piece) => _availability[piece] + Seeds;

    /// <summary>Like <see cref="Availability"/>, but without the seeds.</summary>
    public int Counted(int piece) => _availability[piece];

    public void Count(BitField pieces, int by)
    {
        for (var piece = 0; piece < pieces.Length; piece++)
        {
            if (pieces[piece])
                Count(piece, by);
        }
    }

    public void Count(int piece, int by) => _availability[piece] = (ushort)Math.Clamp(_availability[piece] + by, 0, ushort.MaxValue);

    /// <summary>True if no block of this piece is left to request.</summary>
    public bool IsSettled(int piece) => Have[piece] || _slots[piece] is { Free: 0 } or { IsVerifying: true };

    /// <summary>Starts receiving a piece. Null if the memory budget is exhausted; the waiter is called once memory is free again.</summary>
    /// <param name="piece">A piece that is neither held nor being received.</param>
    /// <param name="isWaited">True if a reader waits for it: memory is then never refused.</param>
    public PieceSlot? TryOpen(int piece, bool isWaited)
    {
        var size = Info.SizeOf(piece);
        var capacity = BufferPool.ClassOf(size);
        if (isWaited)
            pool.Budget.Reserve(capacity);
        else if (!pool.Budget.TryReserve(capacity, waiter))
            return null;
        if (!_unused.TryPop(out var slot))
            slot = new PieceSlot(Info.SizeOf(0));
        slot.Open(piece, size, pool.Rent(size));
        if (_padding.Length > 0)
            FillPadding(slot);
        slot.Place = _open.Count;
        _open.Add(slot);
        _slots[piece] = slot;
        return slot;
    }

    /// <summary>
    /// Closes the slot of a piece that is complete or abandoned. The caller takes over the slot's reference to the buffer.
    /// </summary>
    public PooledBuffer Close(PieceSlot slot)
    {
        var buffer = slot.Close();
        _slots[slot.Index] = null;
        var last = _open[^1];
        _open[slot.Place] = last;
        last.Place = slot.Place;
        _open.RemoveAt(_open.Count - 1);
        Recycle(slot);
        return buffer;
    }

    /// <summary>Call after a reference to a slot has ended. Keeps the slot for reuse if it is closed and nothing refers to it.</summary>
    public void Recycle(PieceSlot slot)
    {
        if (slot.IsUnused && _unused.Count < MostUnused)
            _unused.Push(slot);
    }

    /// <summary>Returns true while only pieces that a reader needs may be begun. Null: they always may.</summary>
    public Func<bool>? IsHeldBack { get; set; }

    /// <summary>The first piece that is wanted and not held; the number of pieces if there is none.</summary>
    public int FirstMissing()
    {
        while (_firstMissing < Info.PieceCount && (Have[_firstMissing] || Ranks?[_firstMissing] == 0))
            _firstMissing++;
        return _firstMissing;
    }

    /// <summary>Marks a piece as held; false if it was.</summary>
    public bool MarkHeld(int piece) => Have.Set(piece);

    /// <summary>Marks a piece as no longer held.</summary>
    public void MarkDropped(int piece)
    {
        Have.Clear(piece);
        _firstMissing = Math.Min(_firstMissing, piece);
    }

    /// <summary>The ranges of the torrent that are padding, adjacent ones joined.</summary>
    private static ByteSpan[] PaddingOf(TorrentInfo info) =>
        [.. ByteSpan.Union(info.Files.Where(static file => file is { IsPadding: true, Length: > 0 }).Select(static file => file.Bytes))];

    /// <summary>
    /// Fills blocks that lie entirely in padding with zeros (BEP 47), so that they are not requested, unless the piece fails its hash
    /// check. Leaves at least one block to request: only an arriving block completes a piece.
    /// </summary>
    private void FillPadding(PieceSlot slot)
    {
        var start = (long)slot.Index * Info.PieceLength;
        for (var i = ByteSpan.FirstEndingAfter(_padding, start); i < _padding.Length && _padding[i].Start < start + slot.Size; i++)
        {
            var first = Math.Max(0, _padding[i].Start - start + PieceSlot.BlockSize - 1) / PieceSlot.BlockSize;
            for (var block = (int)first; block < slot.Blocks && slot.Free > 1; block++)
            {
                if (start + ((long)block * PieceSlot.BlockSize) + slot.SizeOf(block) > _padding[i].End)
                    break;
                slot.FillWithZeros(block);
            }
        }
    }

    private static BitField Full(int pieces)
    {
        var all = new BitField(pieces);
        all.SetAll();
        return all;
    }

    /// <summary>
    /// Background priority of each piece, for pieces that no reader needs: 0 = not fetched, higher goes first. Null = all equal.
    /// </summary>
    public byte[]? Ranks
    {
        get;
        set
        {
            field = value;
            _firstMissing = 0;
        }
    }

    /// <summary>
    /// True if the pieces that <see cref="Ranks"/> leaves out are not wanted later either, as far as is known. False if they are only left
    /// out for now.
    /// </summary>
    public bool LeavesOut { get; set; }

    /// <summary>True if every wanted piece is held. Found without counting, unlike <see cref="HasWanted"/>.</summary>
    public bool HoldsWanted => FirstMissing() == Info.PieceCount;

    /// <summary>True if pieces of equal rank are fetched in order, false if rarest first.</summary>
    public bool IsSequential { get; set; }

    /// <summary>True if every wanted piece is held.</summary>
    public bool HasWanted => CountWanted() is var (wanted, held) && wanted == held;

    /// <summary>How many pieces are wanted, and how many of those are held.</summary>
    public (int Wanted, int Held) CountWanted()
    {
        if (Ranks is null)
            return (Info.PieceCount, Have.Count);
        var (wanted, held) = (0, 0);
        for (var piece = 0; piece < Info.PieceCount; piece++)
        {
            if (Ranks[piece] == 0)
                continue;
            wanted++;
            if (Have[piece])
                held++;
        }

        return (wanted, held);
    }
}
