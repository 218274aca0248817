using NzbDav.Content;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// What one reader is going to read soon, in pieces. Opens narrow, so that a look at a few bytes costs little; then follows what was read in a row,
/// and after two seconds the reader's own rate. Used under the torrent's lock.
/// </summary>
internal sealed class ReaderWindow
{
    /// <summary>At first. A seek that reads 1 MiB has all of it asked for at once.</summary>
    public const long Initial = 1 << 20;

    /// <summary>
    /// Wider by so much of what was read. Each step costs a round trip: 1, 5, 25 MB, where doubling needs twice as many to fill a line.
    /// </summary>
    private const int Growth = 4;

    /// <summary>What is in stock of a steady reader, in seconds of its own rate.</summary>
    private const double StockSeconds = 10;

    /// <summary>Least stock of a steady reader.</summary>
    private const long LeastStock = 4 << 20;

    /// <summary>A rate is only believed after this much reading: players begin with a burst.</summary>
    private static readonly long BurstTicks = TimeSpan.TicksPerSecond * 2;

    private readonly TorrentInfo _info;
    private readonly BufferBudget _budget;
    private readonly long _start;
    private readonly long _opened;

    /// <param name="info">The torrent.</param>
    /// <param name="start">First byte, in the torrent.</param>
    /// <param name="end">One past the last byte, in the torrent; above <paramref name="start"/>.</param>
    /// <param name="intent">Why it reads.</param>
    /// <param name="budget">Its share bounds the window.</param>
    /// <param name="now">Ticks.</param>
    public ReaderWindow(TorrentInfo info, long start, long end, ReadIntent intent, BufferBudget budget, long now)
    {
        _info = info;
        _budget = budget;
        _start = Position = start;
        _opened = now;
        End = end;
        Intent = intent;
        First = Cursor = PieceOf(start);
        Last = First;
    }

    public ReadIntent Intent { get; }

    /// <summary>Where the reader is, in the torrent.</summary>
    public long Position { get; private set; }

    public long End { get; }

    /// <summary>The piece that is read now.</summary>
    public int First { get; private set; }

    /// <summary>The last piece of the window.</summary>
    public int Last { get; private set; }

    /// <summary>Before this piece nothing is left to ask.</summary>
    public int Cursor { get; set; }

    /// <summary>The piece that the reader waits for; −1 = none.</summary>
    public int Waiting { get; set; } = -1;

    /// <summary>Bytes asked on its behalf, in the reckoning that shares the line.</summary>
    public long Turn { get; set; }

    /// <summary>Marks it as tried in one round of picking.</summary>
    public long Tried { get; set; }

    /// <summary>Last piece of what the reader needs at once.</summary>
    public int UrgentLast => Math.Min(Last, PieceOf(Math.Min(End, Position + Initial) - 1));

    public int PieceOf(long offset) => (int)(offset / _info.PieceLength);

    /// <summary>Pieces to be held, given where the reader is.</summary>
    public int Target(long now)
    {
        var read = Position - _start;
        var ahead = Initial + (Growth * read);
        if (Intent == ReadIntent.Probe)
            ahead = 1;
        else if (Intent is ReadIntent.Import or ReadIntent.Health)
            ahead = Initial;
        if (now - _opened > BurstTicks)
            ahead = Math.Min(ahead, Math.Max(LeastStock, (long)(StockSeconds * read * TimeSpan.TicksPerSecond / (now - _opened))));
        ahead = Math.Min(ahead, Math.Max(_budget.Share - _info.PieceLength, 1));
        return PieceOf(Math.Min(End, Position + ahead) - 1);
    }

    /// <summary>The reader is here now.</summary>
    public void MoveTo(long position)
    {
        Position = position;
        if (position < End)
            First = PieceOf(position);
        Cursor = Math.Max(Cursor, First);
    }

    public void Widen(int last) => Last = last;

    /// <summary>A block of this piece must be asked anew.</summary>
    public void Freed(int piece)
    {
        if (piece >= First && piece < Cursor)
            Cursor = piece;
    }
}
