using NzbDav.Content;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// The pieces that one reader will need soon. Starts narrow, so that reading a few bytes costs little; then grows with the bytes read in
/// sequence, and after two seconds follows the reader's own rate. Used under the torrent's lock.
/// </summary>
internal sealed class ReaderWindow
{
    /// <summary>Initial bytes. A seek that reads 1 MiB has all of it requested at once.</summary>
    public const long Initial = 1 << 20;

    /// <summary>
    /// Bytes by which the window grows for each byte read. Each step costs a round trip: the steps are 1, 5, 25 MB. Doubling would need
    /// twice as many to fill a line.
    /// </summary>
    private const int Growth = 4;

    /// <summary>Read-ahead for a steady reader, in seconds at its own rate.</summary>
    private const double StockSeconds = 10;

    /// <summary>Least read-ahead of a steady reader, in bytes.</summary>
    private const long LeastStock = 4 << 20;

    /// <summary>Reading time before a rate is trusted: players begin with a burst.</summary>
    private static readonly long BurstTicks = TimeSpan.TicksPerSecond * 2;

    private readonly TorrentInfo _info;
    private readonly BufferBudget _budget;
    private long _start;
    private long _opened;
    private long _most = long.MaxValue;
    private long _lastReadAt;
    private bool _isIdle;

    /// <param name="info">The torrent.</param>
    /// <param name="start">First byte, in the torrent.</param>
    /// <param name="end">One past the last byte, in the torrent; above <paramref name="start"/>.</param>
    /// <param name="intent">The purpose of the reader.</param>
    /// <param name="budget">Its share limits the window.</param>
    /// <param name="now">Ticks.</param>
    public ReaderWindow(TorrentInfo info, long start, long end, ReadIntent intent, BufferBudget budget, long now)
    {
        _info = info;
        _budget = budget;
        _start = Position = start;
        _opened = _lastReadAt = now;
        End = end;
        Intent = intent;
        YieldMode = intent == ReadIntent.Scan ? YieldMode.Scan : null;
        First = Cursor = PieceOf(start);
        Last = First;
    }

    /// <summary>True if a reader that gives way to nobody needs the piece.</summary>
    public static bool IsFirst(List<ReaderWindow> windows, int piece)
    {
        foreach (var reader in windows)
        {
            if (piece >= reader.First && piece <= reader.Last && reader.Rank == RequestRank.Reader)
                return true;
        }

        return false;
    }

    public ReadIntent Intent { get; }

    /// <summary>How it lets other readers go first; null = it does not.</summary>
    public YieldMode? YieldMode { get; set; }

    /// <summary>True if it has waited longer than its <see cref="YieldMode"/> allows.</summary>
    public bool HasYieldExpired { get; set; }

    /// <summary>True if it lets other readers go first now.</summary>
    public bool IsYielding => YieldMode is not null && !HasYieldExpired;

    /// <summary>The priority of its requests.</summary>
    public RequestRank Rank => IsYielding || Intent is ReadIntent.Import or ReadIntent.Health ? RequestRank.Yielding : RequestRank.Reader;

    /// <summary>True while it waits and gives way to nobody: others in all torrents give way to it.</summary>
    public bool HoldsLine { get; set; }

    /// <summary>
    /// True if nothing was read from it for <see cref="ContentReader.IdleTime"/>: it has no window until it is read from again. Set under
    /// the torrent's lock, may be read without it.
    /// </summary>
    public bool IsIdle
    {
        get => Volatile.Read(ref _isIdle);
        private set => Volatile.Write(ref _isIdle, value);
    }

    /// <summary>When it was last read from, in ticks. Needs no lock.</summary>
    public long LastReadAt
    {
        get => Volatile.Read(ref _lastReadAt);
        set => Volatile.Write(ref _lastReadAt, value);
    }

    /// <summary>The reader's position, in the torrent.</summary>
    public long Position { get; private set; }

    public long End { get; }

    /// <summary>The piece that is being read.</summary>
    public int First { get; private set; }

    /// <summary>The last piece of the window.</summary>
    public int Last { get; private set; }

    /// <summary>Nothing is left to request before this piece.</summary>
    public int Cursor { get; set; }

    /// <summary>The piece that the reader waits for; −1 = none.</summary>
    public int Waiting { get; set; } = -1;

    /// <summary>Bytes requested for it. <see cref="FairReaderOrder"/> shares the line by them.</summary>
    public long ServedBytes { get; set; }

    /// <summary>The last round in which it was tried.</summary>
    public long Tried { get; set; }

    /// <summary>Last piece that the reader needs at once.</summary>
    public int UrgentLast => Math.Min(Last, PieceOf(Math.Min(End, Position + Initial) - 1));

    public int PieceOf(long offset) => (int)(offset / _info.PieceLength);

    /// <summary>The last piece that the window should include, given the reader's position.</summary>
    public int Target(long now)
    {
        var read = Position - _start;
        var ahead = Initial + (Growth * read);
        if (Intent == ReadIntent.Probe || YieldMode is { ReadsOn: false })
            ahead = 1;
        else if (Intent is ReadIntent.Import or ReadIntent.Health)
            ahead = Initial;
        if (now - _opened > BurstTicks)
            ahead = Math.Min(ahead, Math.Max(LeastStock, (long)(StockSeconds * read * TimeSpan.TicksPerSecond / (now - _opened))));
        else
            ahead = Math.Min(ahead, _most);

        // At least to the end of the next piece, however many readers share the memory: a piece requested only after the one before has
        // been read makes the reader wait.
        ahead = Math.Min(ahead, Math.Max(_budget.BudgetPerReader - _info.PieceLength, ((First + 2L) * _info.PieceLength) - Position));
        return PieceOf(Math.Min(End, Position + ahead) - 1);
    }

    /// <summary>Moves the reader to a position.</summary>
    public void MoveTo(long position)
    {
        Position = position;
        if (position < End)
            First = PieceOf(position);
        Cursor = Math.Max(Cursor, First);
    }

    /// <summary>Sets the last piece of the window.</summary>
    public void Fit(int last) => Last = last;

    /// <summary>Marks the reader idle; see <see cref="IsIdle"/>.</summary>
    public void MarkIdle() => IsIdle = true;

    /// <summary>
    /// Ends idleness. The window starts narrow again, and the pause does not count towards the rate. A slow client whose sockets were full
    /// takes megabytes at once and pauses again; until its new rate is known, the window is limited to twice the read-ahead of its earlier
    /// rate, pause included.
    /// </summary>
    public void Resume(long now)
    {
        IsIdle = false;
        _most = Math.Max(LeastStock, (long)(2 * StockSeconds * (Position - _start) * TimeSpan.TicksPerSecond / Math.Max(1, now - _opened)));
        _start = Position;
        _opened = _lastReadAt = now;
        Last = Cursor = First;
    }

    /// <summary>Moves the cursor back to the reader's position.</summary>
    public void Rewind() => Cursor = First;

    /// <summary>Moves the cursor back, because a block of this piece must be requested again.</summary>
    public void OnPieceFreed(int piece)
    {
        if (piece >= First && piece < Cursor)
            Cursor = piece;
    }
}
