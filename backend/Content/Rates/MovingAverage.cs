namespace NzbDav.Content.Rates;

/// <summary>
/// Exponentially weighted moving average of single observations, which need not come at equal times. For the rate of a counter, see
/// <see cref="RecentRate"/>. Not thread-safe, except that <see cref="Value"/> may be read from any thread; a sample is lost where two are
/// added at once. A mutable struct: store it in a field, do not copy it.
/// </summary>
public struct MovingAverage
{
    /// <summary>Weight of a new sample, as in TCP's smoothed round trip (RFC 6298).</summary>
    public const double TcpWeight = 1.0 / 8;

    private double _value;

    /// <summary>The average; 0 before the first sample.</summary>
    public readonly double Value => Volatile.Read(in _value);

    /// <summary>True after a first sample other than 0.</summary>
    public readonly bool IsKnown => Value != 0;

    /// <summary>Adds a sample. The first one counts whole.</summary>
    /// <param name="sample">Positive.</param>
    /// <param name="weight">0 … 1.</param>
    public void Add(double sample, double weight = TcpWeight) => Set(IsKnown ? _value + ((sample - _value) * weight) : sample);

    /// <summary>
    /// Adds a sample of a value that starts at 0 and may return to it, such as a rate: the first sample has no more weight than others.
    /// </summary>
    /// <param name="sample">The sample.</param>
    /// <param name="weight">0 … 1.</param>
    public void Follow(double sample, double weight) => Set(_value + ((sample - _value) * weight));

    /// <summary>Replaces the average.</summary>
    public void Set(double value) => Volatile.Write(ref _value, value);
}
