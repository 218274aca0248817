namespace NzbDav.Usenet.Nntp;

/// <summary>
/// Number of requests that a connection holds. Starts at two, so that no round trip lies between one article and the next. Grows while the
/// wire still falls silent with a full pipe, fast when the silence is longer than an article; shrinks when it has not been silent for long.
/// Never exceeds what the round trip explains: a server that searches for each article, or a line that others fill too, is silent however
/// many requests wait, and an article that a reader needs would wait behind them all. Used by the connection's receive loop; the dispatcher
/// reads it and sets what to expect.
/// </summary>
internal sealed class PipelineDepth
{
    public const int Initial = 2;

    /// <summary>One connection alone on a fast far line (50 ms, 1 Gbit/s, 700 KB articles) needs about ten.</summary>
    public const int Most = 24;

    /// <summary>Silences in a row before it grows: a single one may be chance.</summary>
    private const int SilencesBeforeGrowing = 2;

    /// <summary>Articles without silence before it shrinks.</summary>
    private const int Forgetting = 200;

    private int _silences;
    private int _steady;

    private int _own = Initial;
    private int _expected;
    private int _limit = Most;

    /// <summary>Most requests to hold now.</summary>
    public int Value => Math.Min(Math.Max(_own, Volatile.Read(ref _expected)), Volatile.Read(ref _limit));

    /// <summary>
    /// Sets the depth that the line as a whole is estimated to need per connection; it counts while it exceeds this connection's own. Any
    /// thread.
    /// </summary>
    public void Expect(int depth) => Volatile.Write(ref _expected, Math.Min(Most, depth));

    /// <summary>
    /// Sets the depth with which the server always has the next request in time: more would only wait. It also limits the estimate for the
    /// line: after a pause articles arrive out of buffers, and the line seems a hundred times as fast.
    /// </summary>
    public void Limit(int depth)
    {
        Volatile.Write(ref _limit, Math.Max(Initial, depth));
        _own = Math.Min(_own, _limit);
    }

    /// <summary>Notes the first byte of an article.</summary>
    /// <param name="pipeWasFull">True when as many requests were under way as allowed when the one before ended.</param>
    /// <param name="silence">Time between the end of the article before and this one's first byte.</param>
    /// <param name="transfer">Time that the article before took from its first to its last byte.</param>
    public void ArticleStarted(bool pipeWasFull, TimeSpan silence, TimeSpan transfer)
    {
        if (!pipeWasFull)
            return;
        if (silence > TimeSpan.FromMilliseconds(1) && silence > transfer / 8)
        {
            _steady = 0;
            if (silence > transfer)
            {
                // More than half of the time is lost: this is not chance, and doubling is not too much.
                _silences = 0;
                _own = Math.Min(Most, Math.Max(_own, Value) * 2);
                return;
            }

            if (++_silences < SilencesBeforeGrowing || _own >= Most)
                return;
            _silences = 0;
            _own++;
        }
        else
        {
            _silences = 0;
            if (++_steady < Forgetting || _own <= Initial)
                return;
            _steady = 0;
            _own--;
        }
    }
}
