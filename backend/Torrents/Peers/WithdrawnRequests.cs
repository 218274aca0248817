namespace NzbDav.Torrents.Peers;

/// <summary>
/// Requests to one peer that were withdrawn (cancelled, choked away or timed out) without an answer. Their blocks may be on their way and
/// are still useful. A block that is neither here nor among the peer's requests was never requested. Keeps the latest. Not thread-safe;
/// allocates only when it grows.
/// </summary>
internal sealed class WithdrawnRequests
{
    /// <summary>Most requests remembered: as many as a peer can have outstanding.</summary>
    public const int Most = RequestPipeline.Cap;

    private const int Least = 16;

    /// <summary>Marks an unused place in <see cref="_keys"/>: no torrent has that many pieces.</summary>
    private const ulong Nothing = ulong.MaxValue;

    /// <summary>Time after which a block that has not arrived is no longer expected.</summary>
    private static readonly long Lifetime = TimeSpan.TicksPerMinute;

    private ulong[] _keys = [];
    private int _next;
    private long _lastAdded;

    /// <summary>Requests remembered.</summary>
    public int Count { get; private set; }

    /// <summary>Adds a request. Drops the oldest if there are <see cref="Most"/>.</summary>
    public void Add(int piece, int block, long now)
    {
        _lastAdded = now;
        if (Count < Most && (Count == _keys.Length || _keys[_next] != Nothing))
            MakeRoom();
        ref var key = ref _keys[_next];
        if (key == Nothing)
            Count++;
        key = KeyOf(piece, block);
        _next = (_next + 1) % _keys.Length;
    }

    /// <summary>Removes a request whose block arrives. False if there was none.</summary>
    public bool Remove(int piece, int block)
    {
        var at = Count == 0 ? -1 : Array.IndexOf(_keys, KeyOf(piece, block));
        if (at < 0)
            return false;
        _keys[at] = Nothing;
        Count--;
        return true;
    }

    /// <summary>Removes all requests if none was added for a minute.</summary>
    public void Trim(long now)
    {
        if (_keys.Length == 0 || now - _lastAdded < Lifetime)
            return;
        _keys = [];
        _next = Count = 0;
    }

    private static ulong KeyOf(int piece, int block) => ((ulong)(uint)piece << 32) | (uint)block;

    /// <summary>Closes the gaps that removed requests left. Doubles the capacity unless more than half of it is free.</summary>
    private void MakeRoom()
    {
        var length = 2 * Count < _keys.Length ? _keys.Length : Math.Min(Most, Math.Max(Least, 2 * _keys.Length));
        var keys = new ulong[length];
        var count = 0;

        // The oldest is at _next or after it.
        for (var i = 0; i < _keys.Length; i++)
        {
            if (_keys[(_next + i) % _keys.Length] is var key && key != Nothing)
                keys[count++] = key;
        }

        keys.AsSpan(count).Fill(Nothing);
        (_keys, _next) = (keys, count);
    }
}
