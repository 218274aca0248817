namespace NzbDav.Torrents.Peers;

/// <summary>
/// Requests to one peer that were withdrawn (cancelled, choked away or timed out) without an answer. Their blocks may be on their way and
/// are still of use; a block that is in neither this nor the peer's requests was never asked for. Keeps the latest. Not thread-safe;
/// allocates only when it grows.
/// </summary>
internal sealed class WithdrawnRequests
{
    /// <summary>Most requests remembered: as many as a peer can have outstanding.</summary>
    public const int Most = RequestPipeline.Cap;

    private const int Least = 16;

    /// <summary>Marks a place in <see cref="_keys"/> that is not in use: no torrent has so many pieces.</summary>
    private const ulong Nothing = ulong.MaxValue;

    /// <summary>Time after which a block that has not come is not expected any more.</summary>
    private static readonly long Lifetime = TimeSpan.TicksPerMinute;

    private ulong[] _keys = [];
    private int _next;
    private long _lastAdded;

    /// <summary>Requests remembered.</summary>
    public int Count { get; private set; }

    /// <summary>Remembers a request. The oldest is forgotten if there are too many.</summary>
    public void Add(int piece, int block, long now)
    {
        _lastAdded = now;
        if (Count == _keys.Length && Count < Most)
            Grow();
        ref var key = ref _keys[_next];
        if (key == Nothing)
            Count++;
        key = KeyOf(piece, block);
        _next = (_next + 1) % _keys.Length;
    }

    /// <summary>Forgets a request whose block arrives. False if there was none.</summary>
    public bool Remove(int piece, int block)
    {
        var at = Count == 0 ? -1 : Array.IndexOf(_keys, KeyOf(piece, block));
        if (at < 0)
            return false;
        _keys[at] = Nothing;
        Count--;
        return true;
    }

    /// <summary>Forgets all of them if none was added for a minute.</summary>
    public void Trim(long now)
    {
        if (_keys.Length == 0 || now - _lastAdded < Lifetime)
            return;
        _keys = [];
        _next = Count = 0;
    }

    private static ulong KeyOf(int piece, int block) => ((ulong)(uint)piece << 32) | (uint)block;

    private void Grow()
    {
        // All places are in use, the oldest at _next.
        var larger = new ulong[Math.Min(Most, Math.Max(Least, 2 * _keys.Length))];
        larger.AsSpan(_keys.Length).Fill(Nothing);
        _keys.AsSpan(_next).CopyTo(larger);
        _keys.AsSpan(0, _next).CopyTo(larger.AsSpan(_keys.Length - _next));
        _next = _keys.Length;
        _keys = larger;
    }
}
