using NzbDav.Content.Recording;

namespace NzbDav.FullNzbTester.Replay;

/// <summary>How many bytes a recorded client had taken at each time, while it set the pace. At other times the client takes everything that
/// arrives. Immutable.</summary>
internal sealed class ReplayPace
{
    private readonly List<(double From, double To, long Before, long After, bool ByClient)> _samples = [];

    public ReplayPace(RecordedRequest request)
    {
        long taken = 0;
        foreach (var line in request.Sent)
        {
            var (to, ms, stalled, waited) = (line.At!.Value - request.At, line.Ms!.Value, line.Stalled ?? 0, line.Waited ?? 0);

            // A player with a full buffer reads nothing most of the time; a waiting one reads everything.
            var byClient = stalled > waited && stalled >= ms * 0.2;
            _samples.Add((to - ms, to, taken, taken += line.Bytes!.Value, byClient));
        }
    }

    /// <summary>The most bytes that the client has taken at a moment.</summary>
    /// <param name="ms">Milliseconds since its request.</param>
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

        // After the end of the recording the rest is taken as it arrives.
        return long.MaxValue;
    }
}
