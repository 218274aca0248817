using NzbDav.Content.Recording;

namespace NzbDav.FullNzbTester.Replay;

/// <summary>How much a recorded client had taken at each time where it set the pace. Elsewhere the client takes whatever comes. Immutable.</summary>
internal sealed class ReplayPace
{
    private readonly List<(double From, double To, long Before, long After, bool ByClient)> _samples = [];

    public ReplayPace(RecordedRequest request)
    {
        long taken = 0;
        foreach (var line in request.Sent)
        {
            var (to, ms, stalled, waited) = (line.At!.Value - request.At, line.Ms!.Value, line.Stalled ?? 0, line.Waited ?? 0);

            // A player with a full buffer takes nothing most of the time; one that waits takes everything.
            var byClient = stalled > waited && stalled >= ms * 0.2;
            _samples.Add((to - ms, to, taken, taken += line.Bytes!.Value, byClient));
        }
    }

    /// <summary>The most bytes that the client takes until a moment.</summary>
    /// <param name="ms">Milliseconds since it asked.</param>
    public long Allowed(double ms)
    {
        long allowed = _samples.Count == 0 ? long.MaxValue : 0;
        foreach (var (from, to, before, after, byClient) in _samples)
        {
            if (ms < from)
                return Math.Max(allowed, before);
            if (ms < to)
                return byClient ? before + (long)((after - before) * (ms - from) / Math.Max(1, to - from)) : long.MaxValue;
            allowed = after;
        }

        // Later than the recording: the rest is taken as it comes.
        return long.MaxValue;
    }
}
