namespace NzbDav.Catalog.Maps;

/// <summary>How an id is encoded: the bytes shared with the previous id at both ends, and the number of its own bytes between.</summary>
internal readonly record struct IdShape(int Prefix, int Suffix, int Middle)
{
    /// <summary>
    /// A chance match of a character or two would end a run of equal shapes, which costs more than it saves: the shared part
    /// grows only by this much at once. It shrinks at once, as it must.
    /// </summary>
    private const int WorthGrowing = 4;

    public int Length => Prefix + Suffix + Middle;

    /// <summary>The shape of <paramref name="id"/> after <paramref name="previous"/>, like this one if possible.</summary>
    public IdShape Next(ReadOnlySpan<byte> previous, ReadOnlySpan<byte> id)
    {
        // At least one byte is its own: so the number of ids is bounded by the number of bytes.
        var room = id.Length - 1;
        var prefix = Settle(Prefix, Math.Min(room, previous.CommonPrefixLength(id)));
        room = Math.Min(room - prefix, previous.Length);
        var shared = 0;
        while (shared < room && previous[^(shared + 1)] == id[^(shared + 1)])
            shared++;
        var suffix = Settle(Suffix, shared);
        return new IdShape(prefix, suffix, id.Length - prefix - suffix);
    }

    private static int Settle(int before, int shared) => shared < before || shared >= before + WorthGrowing ? shared : before;
}
