using NzbDav.Content.Recording;

namespace NzbDav.FullNzbTester.Replay;

/// <summary>A provider's speed over a recording: round trip, and the rate of one connection. Immutable.</summary>
internal sealed class ProviderPast
{
    /// <summary>Samples within this many milliseconds of a moment count for it.</summary>
    private const double Around = 5_000;

    /// <summary>Articles received in fewer milliseconds say nothing about the provider's rate.</summary>
    private const double Least = 5;

    private const double LeastPause = 100;

    private readonly (double At, double Value)[] _trips;
    private readonly (double At, double Value)[] _rates;

    /// <param name="lines">Requests to the provider.</param>
    public ProviderPast(IEnumerable<RecordedLine> lines)
    {
        var answered = lines.Where(line => line.First is not null).ToArray();

        // If an article was next on its connection when it was requested, its first byte gives the round trip.
        var trips = answered.Where(line => Math.Abs((line.Next ?? line.Asked!.Value) - line.Asked!.Value) < 1).ToArray();
        _trips = [.. (trips.Length > 0 ? trips : answered)
            .Select(line => (line.Asked!.Value, Math.Max(0, line.First!.Value - line.Asked.Value))).OrderBy(sample => sample.Item1)];
        _rates = [.. answered.Where(line => RateOf(line) > 0).Select(line => (line.At!.Value, (double)RateOf(line)))
            .OrderBy(sample => sample.Item1)];
    }

    /// <summary>The lower quartile of the round trips around a moment, in milliseconds: slower answers had other reasons.</summary>
    public double RoundTrip(double at) => Near(_trips, at, 0.25);

    /// <summary>Bytes per second of one connection around a moment; 0 if no limit is visible.</summary>
    public long Rate(double at) => (long)Near(_rates, at, 0.5);

    /// <summary>Bytes per second of one article on the wire, yEnc included; 0 if it came at once.</summary>
    public static long RateOf(RecordedLine line) =>
        line is { First: { } first, At: { } end, Bytes: > 0 and var bytes } && end - first - PauseOf(line) is >= Least and var took
            ? (long)(bytes * 1.03 * 1_000 / took) : 0;

    /// <summary>The longest pause within an article, in milliseconds, if it exceeds a line's jitter; otherwise 0.</summary>
    public static double PauseOf(RecordedLine line) =>
        line is { First: { } first, At: { } end, Pause: { } pause } && pause >= LeastPause && pause > (end - first) / 4 ? pause : 0;

    private static double Near((double At, double Value)[] samples, double at, double share)
    {
        if (samples.Length == 0)
            return 0;
        var near = samples.Where(sample => Math.Abs(sample.At - at) <= Around).Select(sample => sample.Value).Order().ToArray();
        if (near.Length > 0)
            return near[(int)(near.Length * share)];
        return samples.MinBy(sample => Math.Abs(sample.At - at)).Value;
    }
}
