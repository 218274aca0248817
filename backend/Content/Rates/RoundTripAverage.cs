namespace NzbDav.Content.Rates;

/// <summary>
/// Smoothed round trip and its spread, as in TCP (RFC 6298) and in uTP (BEP 29). In any unit of time. Not thread-safe. A mutable struct:
/// store it in a field, do not copy it.
/// </summary>
public struct RoundTripAverage
{
    private const double SpreadWeight = 1.0 / 4;

    private MovingAverage _trip;
    private MovingAverage _spread;

    /// <summary>True after the first sample.</summary>
    public readonly bool IsKnown => _trip.IsKnown;

    /// <summary>The round trip; 0 before the first sample, otherwise at least 1.</summary>
    public readonly long Value => IsKnown ? Math.Max(1, (long)_trip.Value) : 0;

    /// <summary>How long to wait for an answer: the round trip and four times its spread.</summary>
    public readonly long Timeout => (long)(_trip.Value + (4 * _spread.Value));

    /// <summary>Adds a sample.</summary>
    public void Add(long sample)
    {
        // RFC 6298 §2: "RTTVAR <- (1 - beta) * RTTVAR + beta * |SRTT - R'|; SRTT <- (1 - alpha) * SRTT + alpha * R'".
        if (IsKnown)
            _spread.Follow(Math.Abs(_trip.Value - sample), SpreadWeight);
        else
            _spread.Set(sample / 2.0);
        _trip.Add(Math.Max(1, sample));
    }
}
