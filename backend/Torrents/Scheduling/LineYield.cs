using NzbDav.Content.Rates;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// Decides how much of the line is left to requests that give way while a reader waits in any torrent. The line's rate is not known, so it
/// is estimated from the bytes received lately. The rate that waiting readers take is set aside, with room to grow; the rest belongs to the
/// others. A share that readers cannot use, because their peers are slow or absent, is therefore not held back. Not thread-safe.
/// </summary>
internal sealed class LineYield
{
    /// <summary>Interval at which the shares are decided.</summary>
    public const long Slice = 100 * TimeSpan.TicksPerMillisecond;

    /// <summary>
    /// When a wait begins, the whole line is set aside for this long: a request needs a round trip, and a connection that others crowded
    /// out needs a few more to speed up.
    /// </summary>
    public const long Start = 300 * TimeSpan.TicksPerMillisecond;

    /// <summary>
    /// Longest time for which blocks that others had requested before still arrive first: a cancel does not stop data that a peer has
    /// already handed to its system.
    /// </summary>
    public const long MostDrain = 3 * TimeSpan.TicksPerSecond;

    /// <summary>Others give way for this long after a wait, because the next piece is often waited for as well.</summary>
    public const long Linger = TimeSpan.TicksPerSecond;

    /// <summary>Interval at which it is tested whether readers can take more.</summary>
    private const long Trial = 5 * TimeSpan.TicksPerSecond / 2;

    /// <summary>How long the rate that readers can take is remembered.</summary>
    private const long Memory = 10 * TimeSpan.TicksPerSecond;

    /// <summary>
    /// Others keep few requests outstanding for this long after a wait: a viewer may seek again or start the next episode.
    /// </summary>
    private const long Sharing = 5 * TimeSpan.TicksPerMinute;

    /// <summary>Weight of the last slice in the rates, which follow a change within about a third of a second.</summary>
    private const double Weight = 0.3;

    /// <summary>
    /// Weight for the rate of the line. Lower, because a burst of data that gathered during a stop must not raise the estimate.
    /// </summary>
    private const double SteadyWeight = 0.1;

    /// <summary>Smallest part of the line that others get, to keep their connections alive.</summary>
    private const double Least = 1.0 / 32;

    /// <summary>Smallest rate that others get, in bytes per second.</summary>
    private const double LeastRate = 256 << 10;

    /// <summary>Estimated rate of the line. All rates below are in bytes per second.</summary>
    private double _line;

    /// <summary>
    /// <see cref="_line"/> when the wait began. It was measured, because nothing was held back before, so later estimates do not fall below
    /// it; it decays while readers get less than before. Without it, peers that send in bursts would repeatedly look as if others crowded
    /// out the readers.
    /// </summary>
    private double _known;

    /// <summary>Rate received over the last second or two.</summary>
    private MovingAverage _steady;

    /// <summary>Rate received for readers that give way to nobody.</summary>
    private MovingAverage _first;

    private MovingAverage _all;

    /// <summary>Highest rate of readers in the last second or two.</summary>
    private double _peak;

    /// <summary>Highest rate of readers in the last minute.</summary>
    private double _best;

    /// <summary>Rate set aside for readers.</summary>
    private double _aside;

    private long _slice;

    /// <summary>When the trial began, or ended.</summary>
    private long _trialChangedAt;

    /// <summary>The last time in a trial at which others still received more than their share, or the readers' rate still rose.</summary>
    private long _since;
    private long _until = -Sharing;
    private int _waits;

    /// <summary>True during a trial of how much readers can take.</summary>
    private bool _isTrial;

    /// <summary>True while a reader waits, or has just waited.</summary>
    public bool IsYielding { get; private set; }

    /// <summary>Bytes per second that may be requested by those that give way.</summary>
    public double Room => Math.Max(_line - _aside, Math.Max(_line * Least, LeastRate));

    /// <summary>Rate set aside in a trial: the readers' rate with room to grow.</summary>
    private double More => (1.5 * _first.Value) + (_line / 20);

    /// <summary>Call when a reader begins to wait.</summary>
    /// <param name="now">Ticks.</param>
    /// <returns>True if nobody has waited for a while and data is being received: requests that give way should then be
    /// cancelled.</returns>
    public bool Begin(long now)
    {
        if (_waits++ > 0 || IsYielding)
            return false;
        IsYielding = true;
        _known = _line;
        if (now - _until < Memory)
        {
            Try(now, (1.5 * _best) + (_line / 20));
            return false;
        }

        (_peak, _best) = (0, 0);
        Try(now, _line);
        return _all.Value > 0;
    }

    /// <summary>Call when a reader no longer waits.</summary>
    /// <param name="now">Ticks.</param>
    public void End(long now)
    {
        if (--_waits == 0)
            _until = now + Linger;
    }

    /// <summary>
    /// True while a reader waits or has waited lately, and so may wait again: requests that give way are then made only a little ahead.
    /// </summary>
    /// <param name="now">Ticks.</param>
    public bool IsShared(long now) => _waits > 0 || now - _until < Sharing;

    /// <summary>Decides the shares again, if a slice of time has passed.</summary>
    /// <param name="now">Ticks.</param>
    /// <param name="first">Bytes received since the last decision for readers that give way to nobody.</param>
    /// <param name="others">Bytes received since for all others.</param>
    /// <returns>False if it is too early.</returns>
    public bool Decide(long now, long first, long others)
    {
        var elapsed = now - _slice;
        if (elapsed < Slice)
            return false;
        _slice = now;
        var (seconds, slices) = ((double)elapsed / TimeSpan.TicksPerSecond, (double)elapsed / Slice);
        var weight = 1 - Math.Pow(1 - Weight, slices);
        var slow = 1 - Math.Pow(1 - SteadyWeight, slices);
        _first.Follow(first / seconds, weight);
        _all.Follow((first + others) / seconds, weight);
        _steady.Follow(_all.Value, slow);
        if (IsYielding && _waits == 0 && now >= _until)
            IsYielding = false;
        if (IsYielding)
            DivideLine(now, slices, others / seconds);
        else
            _line = Math.Max(_steady.Value, _line * Math.Pow(0.99, slices));
        return true;
    }

    /// <summary>Decides the shares while a reader waits.</summary>
    /// <param name="now">Ticks.</param>
    /// <param name="slices">Time since the last decision, in slices.</param>
    /// <param name="others">What the others received in that time, in bytes per second.</param>
    private void DivideLine(long now, double slices, double others)
    {
        var before = _peak;
        _line = Math.Max(_line, _steady.Value);
        _peak = Math.Max(_first.Value, _peak * Math.Pow(_waits > 0 ? 0.97 : 0.7, slices));
        _best = Math.Max(_first.Value, _best * Math.Pow(0.998, slices));
        if (_isTrial)
        {
            if (now - _trialChangedAt < MostDrain && others > 1.25 * Room)
                _since = now;
            if (_first.Value > 1.08 * before)
            {
                _since = now;
                _aside = Math.Min(_line, Math.Max(_aside, More));
            }

            if (now - _since < Start)
                return;
            (_isTrial, _trialChangedAt) = (false, now);
        }
        else
        {
            Estimate(slices);
        }

        _aside = Math.Min(_line, 1.1 * _peak);
        if (_waits > 0 && _first.Value > 0 && now - _trialChangedAt >= Trial)
            Try(now, More);
    }

    /// <summary>
    /// Corrects the estimated rate of the line. Too high, and others take the readers' share; too low, and part of the line stays unused.
    /// Peers send in bursts, so the readers' rate is judged by its peaks.
    /// </summary>
    private void Estimate(double slices)
    {
        if (_waits > 0 && _peak < 0.9 * _best)
        {
            _known *= Math.Pow(0.995, slices);
            _line = Math.Max(Math.Max(_known, _all.Value), 0.95 * _line);
        }
        else if (_peak >= 0.95 * _best && _all.Value >= 0.92 * _line)
        {
            _line *= 1.02;
        }

        if (_all.Value < 0.88 * _line)
            _line = Math.Max(Math.Max(_known, _all.Value), 0.98 * _line);
    }

    private void Try(long now, double aside)
    {
        (_isTrial, _trialChangedAt, _since) = (true, now, now);
        _aside = Math.Min(_line, aside);
    }
}
