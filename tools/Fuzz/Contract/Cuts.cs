namespace NzbDav.Fuzz.Contract;

/// <summary>
/// The pieces in which an input reaches a parser, as from a connection or a reader. A function of the position alone, so that the same
/// cuts can be repeated.
/// </summary>
/// <param name="Kind">The rule.</param>
/// <param name="Seed">Seed of <see cref="CutKind.Mixed"/>.</param>
internal readonly record struct Cuts(CutKind Kind, int Seed = 0)
{
    /// <summary>In one piece.</summary>
    public static Cuts Whole => new(CutKind.Whole);

    /// <summary>Byte by byte.</summary>
    public static Cuts Bytes => new(CutKind.Bytes);

    /// <summary>
    /// The length of the piece that begins at <paramref name="position"/>: 1 … <paramref name="left"/>, or 0 where nothing is left.
    /// </summary>
    /// <param name="position">Bytes before the piece.</param>
    /// <param name="left">Bytes still available.</param>
    public int At(long position, int left)
    {
        if (left <= 1 || Kind == CutKind.Whole)
            return left;
        if (Kind == CutKind.Bytes)
            return 1;

        // A multiplicative hash (Knuth, TAOCP 6.4) of the position.
        var drawn = (uint)((((uint)position * 2_654_435_761u) ^ ((uint)Seed * 40_503u)) >> 8);
        var most = (drawn & 7) == 0 ? 4_000u : 40u;
        return (int)Math.Min((uint)left, 1 + (drawn >> 3) % most);
    }
}

/// <summary>The rule by which an input is cut.</summary>
internal enum CutKind
{
    /// <summary>Not at all.</summary>
    Whole,

    /// <summary>After each byte.</summary>
    Bytes,

    /// <summary>Into pieces of 1 … 40 bytes, some of up to 4,000.</summary>
    Mixed,
}
