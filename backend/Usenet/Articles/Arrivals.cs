namespace NzbDav.Usenet.Articles;

/// <summary>When the latest articles arrived, on any connection. Guarded by the dispatcher's lock.</summary>
internal sealed class Arrivals
{
    /// <summary>As many as two for each of 32 busy connections.</summary>
    private const int Most = 64;

    private readonly long[] _times = new long[Most];
    private uint _count;

    /// <summary>An article arrived whole.</summary>
    /// <param name="now">A reading of the clock, above 0.</param>
    public void Add(long now) => _times[_count++ % Most] = now;

    /// <summary>True when at least <paramref name="count"/> articles, or 64 if that is less, arrived after <paramref name="since"/>.</summary>
    public bool Since(long since, int count) => _times[(_count - (uint)Math.Clamp(count, 1, Most)) % Most] > since;
}
