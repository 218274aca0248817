using NzbDav.FullNzbTester.Comparing;

namespace NzbDav.FullNzbTester.Faults;

/// <summary>Compares one response with the film and remembers the first difference.</summary>
internal sealed class FilmCheck(SourceBytes film, long start) : IRangeCheck
{
    private long _at = start;

    /// <summary>Offset of the first wrong byte; null when all were right.</summary>
    public long? FirstWrong { get; private set; }

    /// <summary>Number of wrong bytes.</summary>
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
        // The result is read from the properties; there is nothing to report here.
    }
}
