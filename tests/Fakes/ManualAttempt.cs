using NzbDav.Content;

namespace NzbDav.Fakes;

/// <summary>One answer to a request for a segment: shows bytes as far as the test says. Owns its buffer until it ends.</summary>
public sealed class ManualAttempt
{
    private readonly SegmentFlight _flight;
    private readonly byte[] _bytes;
    private readonly long _begin;
    private readonly PooledBuffer _buffer;

    internal ManualAttempt(SegmentFlight flight, byte[] bytes, long begin)
    {
        _flight = flight;
        _bytes = bytes;
        _begin = begin;
        _buffer = flight.RentBuffer(bytes.Length);
    }

    /// <summary>The first <paramref name="count"/> bytes have arrived.</summary>
    public ManualAttempt Show(int count)
    {
        _bytes.AsSpan(0, count).CopyTo(_buffer.Memory.Span);
        _flight.Publish(_buffer, count, _begin, _bytes.Length);
        return this;
    }

    /// <summary>All is here and intact.</summary>
    /// <param name="header">See <see cref="SegmentFlight.Header"/>.</param>
    /// <returns>False when another attempt had ended the flight.</returns>
    public bool Complete(object? header = null)
    {
        _bytes.CopyTo(_buffer.Memory.Span);
        var first = _flight.Complete(_buffer, _bytes.Length, _begin, header ?? this);
        _buffer.Release();
        return first;
    }

    /// <summary>It broke off or was damaged.</summary>
    public void Withdraw()
    {
        _flight.Withdraw(_buffer);
        _buffer.Release();
    }
}
