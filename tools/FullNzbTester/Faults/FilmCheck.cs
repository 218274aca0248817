using NzbDav.FullNzbTester.Comparing;

namespace NzbDav.FullNzbTester.Faults;

/// <summary>Holds one response against the film, and remembers where it first differed.</summary>
internal sealed class FilmCheck(SourceBytes film, long start) : IRangeCheck
{
    private long _at = start;

    /// <summary>The first byte that was not the film's; null when all were.</summary>
    public long? FirstWrong { get; private set; }

    /// <summary>Bytes that were not the film's.</summary>
    public long Wrong { get; private set; }

    public void Take(ReadOnlySpan<byte> bytes)
    {
        if (film.FirstDifference(_at, bytes) is var index and >= 0)
        {
            FirstWrong ??= _at + index;
            Wrong += film.Differences(_at + index, bytes[index..]);
        }

        _at += bytes.Length;
    }

    public void Forgive()
    {
        FirstWrong = null;
        Wrong = 0;
    }

    public void Dispose()
    {
        // What it found is read from it: there is nobody to report to.
    }
}
