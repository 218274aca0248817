namespace NzbDav.Usenet.Disk;

/// <summary>
/// A compact index from a 64-bit hash of the message-id to a place. A slot has 16 bytes; at most four fifths of the slots are used. Two ids
/// with the same hash displace each other. The record contains its id, so that costs only a cache miss. Not thread-safe.
/// </summary>
internal sealed class PlaceTable
{
    private const int Least = 1024;
    private const double MostLoad = 0.8;

    private readonly ulong[] _keys;
    private readonly ulong[] _places;

    /// <param name="entries">Expected number of entries. The table has room for half as many again.</param>
    public PlaceTable(int entries)
    {
        var slots = (int)Math.Max(Least, entries * 1.5 / MostLoad);
        _keys = new ulong[slots];
        _places = new ulong[slots];
    }

    /// <summary>Slots in use, including those of deleted files.</summary>
    public int Used { get; private set; }

    /// <summary>True when it must be rebuilt before an entry is added.</summary>
    public bool IsFull => Used >= _keys.Length * MostLoad;

    /// <summary>Memory of the slots in bytes.</summary>
    public long Bytes => 16L * _keys.Length;

    public bool TryFind(ulong key, out CachePlace place)
    {
        var slot = SlotOf(key);
        place = CachePlace.Unpack(_places[slot]);
        return place.Segment != 0;
    }

    /// <summary>Adds or replaces an entry.</summary>
    public void Set(ulong key, CachePlace place)
    {
        var slot = SlotOf(key);
        if (_places[slot] == 0)
            Used++;
        _keys[slot] = key;
        _places[slot] = place.Packed;
    }

    /// <summary>Returns a new table with the entries whose files still exist.</summary>
    public PlaceTable Rebuild(Func<uint, bool> exists)
    {
        var live = 0;
        foreach (var place in _places)
            live += place != 0 && exists(CachePlace.Unpack(place).Segment) ? 1 : 0;
        var next = new PlaceTable(live);
        for (var i = 0; i < _places.Length; i++)
        {
            if (_places[i] != 0 && CachePlace.Unpack(_places[i]) is var place && exists(place.Segment))
                next.Set(_keys[i], place);
        }

        return next;
    }

    /// <summary>The key's slot, or the free slot where it belongs.</summary>
    private int SlotOf(ulong key)
    {
        var slot = (int)Math.BigMul(key, (ulong)_keys.Length, out _);
        while (_places[slot] != 0 && _keys[slot] != key)
            slot = slot + 1 == _keys.Length ? 0 : slot + 1;
        return slot;
    }
}

/// <summary>Place of a record. Offsets and lengths are in blocks of <see cref="CacheRecord.Block"/> bytes.</summary>
/// <param name="Segment">Number of its file, from 1.</param>
/// <param name="Block">Its first block.</param>
/// <param name="Blocks">Its length.</param>
internal readonly record struct CachePlace(uint Segment, ushort Block, ushort Blocks)
{
    /// <summary>Never 0 for a real place.</summary>
    public ulong Packed => ((ulong)Segment << 32) | ((ulong)Block << 16) | Blocks;

    public static CachePlace Unpack(ulong packed) => new((uint)(packed >> 32), (ushort)(packed >> 16), (ushort)packed);
}
