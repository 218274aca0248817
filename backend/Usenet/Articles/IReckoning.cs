using NzbDav.Content;

namespace NzbDav.Usenet.Articles;

/// <summary>What a file's map was reckoned from, and what to do when that turns out to be wrong. Thread-safe.</summary>
public interface IReckoning
{
    /// <summary>The runs of the map that are not proven, by their place in its table; no two overlap.</summary>
    IReadOnlyList<ReckonedRun> Runs { get; }

    /// <summary>Tells whether a posted file begins as it must.</summary>
    /// <param name="run">One of <see cref="Runs"/>.</param>
    /// <param name="head">The bytes of its first article.</param>
    ValueTask<bool> AgreesAsync(ReckonedRun run, ReadOnlyMemory<byte> head);

    /// <summary>Finds out the true map, with nothing reckoned. Called once for a file, unless it fails.</summary>
    /// <param name="map">The one that is wrong.</param>
    /// <param name="reason">What is wrong with it, in words.</param>
    /// <returns>A map of the same length.</returns>
    /// <exception cref="ContentException">It cannot be found out.</exception>
    Task<ExtentMap> LayOutAgainAsync(ExtentMap map, string reason);
}
