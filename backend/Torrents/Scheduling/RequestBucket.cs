using NzbDav.Content.Rates;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// A <see cref="TokenBucket"/> of blocks that may be requested, with turns: in a turn, one torrent may take a share of the bytes. Not
/// thread-safe, except for <see cref="Rate"/>.
/// </summary>
internal sealed class RequestBucket
{
    /// <summary>Burst allowed after a pause, in seconds: little enough that the rate holds within a second.</summary>
    public const double BurstSeconds = 0.25;

    private readonly TokenBucket _bytes = new();
    private double _quota = double.MaxValue;

    /// <summary>Bytes per second; 0: no limit, and nothing is counted.</summary>
    public double Rate => _bytes.Rate;

    /// <summary>Sets the rate.</summary>
    /// <param name="rate">Bytes per second.</param>
    /// <param name="burst">In seconds at that rate; it is at least two blocks.</param>
    public void Set(double rate, double burst = BurstSeconds) => _bytes.Set(rate, Math.Max(2 * PieceSlot.BlockSize, rate * burst));

    /// <summary>Seconds until a block may be requested; 0 = now.</summary>
    /// <param name="now">Ticks.</param>
    /// <param name="isMine">False: other torrents come first, however many bytes are left.</param>
    public double WaitFor(long now, bool isMine = true)
    {
        _bytes.Accrue(now);

        // Allows for rounding: a block's time is not a whole number of ticks.
        return isMine && _quota > 0 && _bytes.Left > PieceSlot.BlockSize - 1
            ? 0 : Math.Max(double.Epsilon, _bytes.WaitFor(PieceSlot.BlockSize));
    }

    /// <summary>Counts a requested block. Without a limit nothing is counted, so that it is no debt when a limit is set.</summary>
    /// <param name="bytes">Its size.</param>
    /// <param name="isTurn">True if it was in a turn.</param>
    public void Charge(int bytes, bool isTurn = false)
    {
        if (Rate == 0)
            return;
        _bytes.Take(bytes);
        if (isTurn)
            _quota -= bytes;
    }

    /// <summary>Begins a turn, in which one torrent may take one of <paramref name="shares"/> equal shares of the bytes.</summary>
    public void Allot(int shares) => _quota = Math.Max(PieceSlot.BlockSize, _bytes.Left / shares);

    /// <summary>Ends a turn.</summary>
    public void EndTurn() => _quota = double.MaxValue;
}
