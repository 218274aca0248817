using NzbDav.Content;

namespace NzbDav.Usenet.Files;

/// <summary>The volumes of a map that were inferred, and what to do when one of them proves wrong. Thread-safe.</summary>
public interface IInferredLayout
{
    /// <summary>The volumes that are not proven, by their place in the map's table; no two overlap.</summary>
    IReadOnlyList<InferredVolume> Volumes { get; }

    /// <summary>Compares the beginning of a volume with its inferred headers and its hash.</summary>
    /// <param name="volume">One of <see cref="Volumes"/>.</param>
    /// <param name="head">The bytes of its first article.</param>
    ValueTask<bool> AgreesAsync(InferredVolume volume, ReadOnlyMemory<byte> head);

    /// <summary>Makes the true map by reading every volume's headers. Called once for a file, unless it fails.</summary>
    /// <param name="map">The one that is wrong.</param>
    /// <param name="reason">What is wrong with it, in words.</param>
    /// <returns>A map of the same length.</returns>
    /// <exception cref="ContentException">It cannot be made.</exception>
    Task<ExtentMap> LayOutAgainAsync(ExtentMap map, string reason);
}
