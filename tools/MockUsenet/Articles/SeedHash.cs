namespace NzbDav.MockUsenet.Articles;

/// <summary>Seeded 64-bit hashes that are the same in every process (unlike <see cref="HashCode"/>).</summary>
internal static class SeedHash
{
    /// <summary>FNV-1a over the seed and UTF-16 units of the text, with a final avalanche.</summary>
    public static ulong Of(ulong seed, string text, long number = 0)
    {
        var hash = Step(Step(0xCBF29CE484222325, seed), (ulong)number);
        foreach (var unit in text)
            hash = (hash ^ unit) * 0x100000001B3;
        return Avalanche(hash);
    }

    /// <summary>Uniform in [0, 1).</summary>
    public static double Unit(ulong seed, string text) => (Of(seed, text) >> 11) * (1.0 / (1UL << 53));

    private static ulong Step(ulong hash, ulong value)
    {
        for (var i = 0; i < 8; i++, value >>= 8)
            hash = (hash ^ (value & 0xFF)) * 0x100000001B3;
        return hash;
    }

    private static ulong Avalanche(ulong value)
    {
        value = (value ^ (value >> 33)) * 0xFF51AFD7ED558CCD;
        value = (value ^ (value >> 33)) * 0xC4CEB9FE1A85EC53;
        return value ^ (value >> 33);
    }
}
