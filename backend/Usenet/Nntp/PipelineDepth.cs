namespace NzbDav.Usenet.Nntp;

/// <summary>
/// Number of requests to hold on a connection. Starts at two, so that no round trip lies between one article and the next. Grows while the
/// wire still falls silent although the pipe is full, and doubles when the silence is longer than an article. Shrinks after a long time
/// without silence. Never exceeds the number that the round trip can justify: a server that searches for each article, or a line shared
/// with others, pauses however many requests are queued, and an article that a reader needs would wait behind all of them. Belongs to the
/// connection's receive loop; the dispatcher reads <see cref="Value"/> and calls <see cref="Expect"/>.
/// </summary>
internal sealed class PipelineDepth
{
    public const int Initial = 2;

    /// <summary>
    /// Upper bound. One connection alone on a fast line with a long round trip (50 ms, 1 Gbit/s, 700 KB articles) needs about ten.
    /// </summary>
    public const int Most = 24;

    /// <summary>Consecutive silences before it grows: a single one may be chance.</summary>
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
    /// Sets the depth per connection that the line as a whole is estimated to need. It applies while it exceeds this connection's own
    /// depth. Thread-safe.
    /// </summary>
    public void Expect(int depth) => Volatile.Write(ref _expected, Math.Min(Most, depth));

    /// <summary>
    /// Sets the depth at which the server always has the next request in time. More requests would only queue. This also limits
    /// <see cref="Expect"/>: after a pause articles arrive from buffers, and the line seems a hundred times as fast.
    /// </summary>
    public void Limit(int depth)
    {
        Volatile.Write(ref _limit, Math.Max(Initial, depth));
        _own = Math.Min(_own, _limit);
    }

    /// <summary>Records the first byte of an article.</summary>
    /// <param name="pipeWasFull">True when the connection held as many requests as allowed at the end of the article before.</param>
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
                // More than half of the time is lost. That is no chance, so doubling is justified.
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
