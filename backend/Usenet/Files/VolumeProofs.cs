using System.Globalization;
using NzbDav.Content;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Files;

/// <summary>The volumes of a map that were inferred, and how to rebuild the map when one of them proves wrong. Thread-safe.</summary>
public interface IInferredLayout
{
    /// <summary>The volumes that are not proven, by their position in the map's table. No two overlap.</summary>
    IReadOnlyList<InferredVolume> Volumes { get; }

    /// <summary>Compares the beginning of a volume with its inferred headers and its hash.</summary>
    /// <param name="volume">One of <see cref="Volumes"/>.</param>
    /// <param name="head">The bytes of its first article.</param>
    ValueTask<bool> AgreesAsync(InferredVolume volume, ReadOnlyMemory<byte> head);

    /// <summary>Rebuilds the map by reading the headers of every volume. Called once for a file, unless it fails.</summary>
    /// <param name="map">The wrong map.</param>
    /// <param name="reason">Why it is wrong, as text.</param>
    /// <returns>A map of the same length.</returns>
    /// <exception cref="ContentException">It cannot be made.</exception>
    Task<ExtentMap> RebuildMapAsync(ExtentMap map, string reason);
}

/// <summary>Proves the inferred volumes of a map by their first articles, and remembers those that are proven. Thread-safe.</summary>
internal sealed class VolumeProofs(IArticles articles, IInferredLayout layout)
{
    private readonly IReadOnlyList<InferredVolume> _volumes = layout.Volumes;
    private readonly bool[] _proven = new bool[layout.Volumes.Count];

    public bool IsProven(int segment) => Find(segment) is var index && (index < 0 || Volatile.Read(ref _proven[index]));

    /// <summary>
    /// Checks the beginning of the first article of the volume that contains a segment. Matching bytes suffice to accept the volume; the
    /// article's checksum could not add certainty. To reject it, the article must be complete and intact.
    /// </summary>
    /// <returns>Null when it matches; else the reason why not.</returns>
    /// <exception cref="ContentException">It cannot be fetched.</exception>
    public async ValueTask<string?> ProveAsync(int segment, FetchPriority priority, CancellationToken cancellationToken)
    {
        var index = Find(segment);
        if (index < 0)
            return null;
        var volume = _volumes[index];

        // Readers with another priority join the same flight. A repeated comparison does no harm.
        articles.Cache.TryOpen(volume.Proof, priority, waiter: null, out var flight);
        try
        {
            articles.Cache.Raise(flight!, priority);
            while (!flight!.IsEnded)
            {
                int seen;
                using (var head = flight.TryPeek(out var header))
                {
                    seen = head?.Length ?? 0;
                    if (head is not null && header is ArticleHeader article && volume.Proof.Matches(article.Begin, article.PartSize)
                        && await CompareAsync(volume, article, head.Memory) is null)
                    {
                        Volatile.Write(ref _proven[index], true);
                        return null;
                    }
                }

                await flight.WhenMore(seen).WaitAsync(cancellationToken);
            }

            if (flight.Fault is { } fault)
                throw new ContentException(fault,
                    $"The beginning of '{volume.Name}', which tells where the bytes lie in it, cannot be had: {flight.FailureReason}");
            var wrong = flight.IsFound
                ? await CompareAsync(volume, flight) : $"the first article of '{volume.Name}' has another size than was expected";
            if (wrong is null)
                Volatile.Write(ref _proven[index], true);
            return wrong;
        }
        finally
        {
            articles.Cache.Close(flight!);
        }
    }

    private async ValueTask<string?> CompareAsync(InferredVolume volume, SegmentFlight flight)
    {
        using var head = flight.TryPeek(out var header);
        return header is ArticleHeader article ? await CompareAsync(volume, article, head is null ? default : head.Memory) : null;
    }

    private async ValueTask<string?> CompareAsync(InferredVolume volume, ArticleHeader header, ReadOnlyMemory<byte> head)
    {
        if (header.FileSize != volume.FileSize)
            return string.Create(
                CultureInfo.InvariantCulture, $"'{volume.Name}' has {header.FileSize} bytes instead of the expected {volume.FileSize}");
        if (!string.Equals(header.Name, volume.Name, StringComparison.Ordinal))
            return $"'{volume.Name}' calls itself '{header.Name}'";
        if (volume.Header.IsEmpty && volume.HeadHash.IsEmpty)
            return null;
        return await layout.AgreesAsync(volume, head) ? null : $"'{volume.Name}' does not begin as was expected";
    }

    /// <summary>Index of the inferred volume that contains a segment; −1 for none.</summary>
    private int Find(int segment)
    {
        int low = 0, high = _volumes.Count - 1;
        while (low <= high)
        {
            var middle = (low + high) / 2;
            if (segment < _volumes[middle].First)
                high = middle - 1;
            else if (segment >= _volumes[middle].First + _volumes[middle].Count)
                low = middle + 1;
            else
                return middle;
        }

        return -1;
    }
}
