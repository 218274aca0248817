using System.Globalization;
using NzbDav.Content;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nntp;

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
    /// <param name="map">The wrong map.</param>
    /// <param name="reason">What is wrong with it, as text.</param>
    /// <returns>A map of the same length.</returns>
    /// <exception cref="ContentException">It cannot be made.</exception>
    Task<ExtentMap> RebuildMapAsync(ExtentMap map, string reason);
}

/// <summary>Proves the inferred volumes of a map by their first articles, and remembers which are proven. Thread-safe.</summary>
internal sealed class VolumeProofs(IArticles articles, IInferredLayout layout)
{
    private readonly IReadOnlyList<InferredVolume> _volumes = layout.Volumes;
    private readonly bool[] _proven = new bool[layout.Volumes.Count];

    public bool IsProven(int segment) => Find(segment) is var index && (index < 0 || Volatile.Read(ref _proven[index]));

    /// <summary>
    /// Checks the beginning of the first article of the volume that holds a segment. Matching bytes are enough to accept, as the article's
    /// checksum could not make that any surer. To reject, the article must be complete and intact.
    /// </summary>
    /// <returns>Null when it matches; else what is wrong with it.</returns>
    /// <exception cref="ContentException">It cannot be fetched.</exception>
    public async ValueTask<string?> ProveAsync(int segment, FetchPriority priority, CancellationToken cancellationToken)
    {
        var index = Find(segment);
        if (index < 0)
            return null;
        var volume = _volumes[index];

        // Readers with another priority join the same flight. Comparing it twice does no harm.
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
                    if (head is not null && header is ArticleHeader said && volume.Proof.Matches(said.Begin, said.PartSize)
                        && await CompareAsync(volume, said, head.Memory) is null)
                    {
                        Volatile.Write(ref _proven[index], true);
                        return null;
                    }
                }

                await flight.WhenMore(seen).WaitAsync(cancellationToken);
            }

            var wrong = flight.Outcome switch
            {
                SegmentOutcome.Found => await CompareAsync(volume, flight),
                SegmentOutcome.Mismatch => $"the first article of '{volume.Name}' has another size than was expected",
                var outcome => throw new ContentException(
                    outcome == SegmentOutcome.Missing
                        ? ContentFault.Missing : outcome == SegmentOutcome.Corrupt ? ContentFault.Corrupt : ContentFault.Unavailable,
                    $"The beginning of '{volume.Name}', which tells where the bytes lie in it, cannot be had: {flight.FailureReason}"),
            };
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
        return header is ArticleHeader said ? await CompareAsync(volume, said, head is null ? default : head.Memory) : null;
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

    /// <summary>Index of the inferred volume that holds a segment; −1 for none.</summary>
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
