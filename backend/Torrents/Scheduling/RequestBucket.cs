using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Bytes that may be requested: they accrue at a rate, up to a burst. In a turn, one torrent may take a share of them. Not
/// thread-safe, except for <see cref="Rate"/>.</summary>
internal sealed class RequestBucket
{
    private double _rate;
    private double _burst;
    private double _left;
    private double _quota = double.MaxValue;
    private long _at;

    /// <summary>Bytes per second.</summary>
    public double Rate => Volatile.Read(ref _rate);

    /// <summary>Sets the rate.</summary>
    /// <param name="rate">Bytes per second.</param>
    /// <param name="burst">In seconds at that rate.</param>
    public void Set(double rate, double burst)
    {
        Volatile.Write(ref _rate, rate);
        _burst = Math.Max(2 * PieceSlot.BlockSize, rate * burst);
        _left = Math.Min(_left, _burst);
    }

    /// <summary>Seconds until a block may be requested; 0 = now.</summary>
    /// <param name="now">Ticks.</param>
    /// <param name="isMine">False: others come first, however much is left.</param>
    public double WaitFor(long now, bool isMine)
    {
        _left = Math.Min(_burst, _left + ((now - _at) * _rate / TimeSpan.TicksPerSecond));
        _at = now;

        // Allows for rounding: a block's time is not a whole number of ticks.
        if (isMine && _quota > 0 && _left > PieceSlot.BlockSize - 1)
            return 0;
        return Math.Max(double.Epsilon, Math.Max(0, PieceSlot.BlockSize - _left) / _rate);
    }

    /// <summary>Counts a requested block.</summary>
    /// <param name="bytes">Its size.</param>
    /// <param name="isTurn">True if it was in a turn.</param>
    public void Take(int bytes, bool isTurn)
    {
        _left -= bytes;
        if (isTurn)
            _quota -= bytes;
    }

    /// <summary>Begins a turn, in which one torrent may take one of <paramref name="shares"/> equal shares of the bytes.</summary>
    public void Allot(int shares) => _quota = Math.Max(PieceSlot.BlockSize, _left / shares);

    /// <summary>Ends a turn.</summary>
    public void EndTurn() => _quota = double.MaxValue;
}
