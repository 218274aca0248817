using System.Globalization;
using NzbDav.Content;

namespace NzbDav.Usenet.Articles;

/// <summary>Which of a map's reckoned runs are proven, and the proving of one. Thread-safe.</summary>
internal sealed class RunProofs(UsenetClient client, IReckoning reckoning)
{
    private readonly IReadOnlyList<ReckonedRun> _runs = reckoning.Runs;
    private readonly bool[] _proven = new bool[reckoning.Runs.Count];

    public bool IsProven(int segment) => Find(segment) is var run && (run < 0 || Volatile.Read(ref _proven[run]));

    /// <summary>
    /// Looks at the beginning of the first article of the posted file that a segment is of. If what is there already is what was expected, that is enough: the article's
    /// checksum could not make it any surer. Whether it is something else is said only when the article is whole and intact.
    /// </summary>
    /// <returns>Null when it is what was expected; else what is wrong with it.</returns>
    /// <exception cref="ContentException">It cannot be had.</exception>
    public async ValueTask<string?> ProveAsync(int segment, FetchPriority priority, CancellationToken cancellationToken)
    {
        var index = Find(segment);
        if (index < 0)
            return null;
        var run = _runs[index];

        // Whoever waits with another priority joins the same flight; looking at it twice does no harm.
        client.Cache.TryOpen(run.Proof, priority, waiter: null, out var flight);
        try
        {
            client.Cache.Raise(flight!, priority);
            while (!flight!.IsEnded)
            {
                int seen;
                using (var head = flight.TryPeek(out var header))
                {
                    seen = head?.Length ?? 0;
                    if (head is not null && header is ArticleHeader said && run.Proof.Matches(said.Begin, said.PartSize) && await CompareAsync(run, said, head.Memory) is null)
                    {
                        Volatile.Write(ref _proven[index], true);
                        return null;
                    }
                }

                await flight.WhenMore(seen).WaitAsync(cancellationToken);
            }

            var wrong = flight.Outcome switch
            {
                SegmentOutcome.Found => await CompareAsync(run, flight),
                SegmentOutcome.Mismatch => $"the first article of '{run.Name}' has another size than was reckoned",
                var outcome => throw new ContentException(
                    outcome == SegmentOutcome.Missing ? ContentFault.Missing : outcome == SegmentOutcome.Corrupt ? ContentFault.Corrupt : ContentFault.Unavailable,
                    $"The beginning of '{run.Name}', which tells where the bytes lie in it, cannot be had: {flight.FailureReason}"),
            };
            if (wrong is null)
                Volatile.Write(ref _proven[index], true);
            return wrong;
        }
        finally
        {
            client.Cache.Close(flight!);
        }
    }

    private async ValueTask<string?> CompareAsync(ReckonedRun run, SegmentFlight flight)
    {
        using var head = flight.TryPeek(out var header);
        return header is ArticleHeader said ? await CompareAsync(run, said, head is null ? default : head.Memory) : null;
    }

    private async ValueTask<string?> CompareAsync(ReckonedRun run, ArticleHeader header, ReadOnlyMemory<byte> head)
    {
        if (header.FileSize != run.FileSize)
            return string.Create(CultureInfo.InvariantCulture, $"'{run.Name}' has {header.FileSize} bytes, and {run.FileSize} were reckoned");
        if (!string.Equals(header.Name, run.Name, StringComparison.Ordinal))
            return $"'{run.Name}' calls itself '{header.Name}'";
        if (run.Header.IsEmpty && run.HeadHash.IsEmpty)
            return null;
        return await reckoning.AgreesAsync(run, head) ? null : $"'{run.Name}' does not begin as was reckoned";
    }

    /// <summary>The run that holds a segment; −1 for none.</summary>
    private int Find(int segment)
    {
        int low = 0, high = _runs.Count - 1;
        while (low <= high)
        {
            var middle = (low + high) / 2;
            if (segment < _runs[middle].First)
                high = middle - 1;
            else if (segment >= _runs[middle].First + _runs[middle].Count)
                low = middle + 1;
            else
                return middle;
        }

        return -1;
    }
}
