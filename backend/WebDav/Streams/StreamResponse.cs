using NzbDav.Content;
using NzbDav.Content.Recording;

namespace NzbDav.WebDav.Streams;

/// <summary>
/// The counters of one response. Written by the sender, read by observers: plain numbers, no lock, no allocation while bytes flow. The
/// clock is read only where the sender waits anyway.
/// </summary>
internal sealed class StreamResponse(ActiveStream stream, TimeProvider time, long position, Action abort, ResponseTimeline? timeline = null)
{
    /// <summary>Shorter waits are normal on any line and not noticeable.</summary>
    public static readonly TimeSpan LeastWait = TimeSpan.FromMilliseconds(50);

    private long _position = position;
    private long _sent;
    private long _waitingSince;
    private long _stalledSince;
    private long _waited;
    private long _stalled;
    private long _waitedAll;
    private int _waits;
    private ContentReader? _reader;
    private ReaderWait? _reportedWait;
    private ReaderFiller? _ended;

    public ActiveStream Stream => stream;

    public long Position => Volatile.Read(ref _position);

    public long Sent => Volatile.Read(ref _sent);

    public int Waits => Volatile.Read(ref _waits);

    /// <summary>Clock reading at the start of the wait for bytes; 0: no wait, or the client has not taken the bytes sent so far.</summary>
    public long WaitingSince => StalledSince != 0 ? 0 : Volatile.Read(ref _waitingSince);

    /// <summary>Clock reading since when the client takes nothing; 0: it takes bytes as they come.</summary>
    public long StalledSince => Volatile.Read(ref _stalledSince);

    public TimeSpan Waited => new(Volatile.Read(ref _waited));

    /// <summary>Called after each long wait, on the sender's thread.</summary>
    public Action<TimeSpan, ReaderWait?>? LongWait { get; set; }

    public ReaderState Observe() => Volatile.Read(ref _reader)?.Observe() ?? ReaderState.Unknown;

    /// <summary>Filler sent in place of bytes that are gone; null: none.</summary>
    public ReaderFiller? Filler => ReaderFiller.Sum(Volatile.Read(ref _ended), Volatile.Read(ref _reader)?.Observe().Filler);

    /// <summary>How the response ended, once known.</summary>
    public ResponseEnd Outcome { get; set; }

    /// <summary>Called for each range of a request.</summary>
    public void RangeRequested(long start, long end, ReadIntent intent) =>
        timeline?.RangeRequested(time.GetTimestamp(), start, end, intent);

    /// <summary>Records the bytes sent since the last call. Called by the registry's timer; not while the response ends.</summary>
    public void NoteDelivery(long now) => timeline?.Delivered(now, Position, Sent, Volatile.Read(ref _stalled) + Since(StalledSince, now),
        Volatile.Read(ref _waitedAll) + Since(WaitingSince, now));

    /// <summary>Called when the response has ended.</summary>
    public void NoteEnd(long now)
    {
        NoteDelivery(now);
        timeline?.Ended(now, Sent, Outcome);
    }

    /// <summary>Called when a range begins.</summary>
    public void Reads(ContentReader reader, long position)
    {
        Volatile.Write(ref _ended, Filler);
        Volatile.Write(ref _position, position);
        Volatile.Write(ref _reader, reader);
    }

    /// <summary>Makes the reader yield to others, or no longer (<see cref="ContentReader.SetYieldMode"/>).</summary>
    public void SetYieldMode(YieldMode? mode) => Volatile.Read(ref _reader)?.SetYieldMode(mode);

    /// <summary>Called when the first bytes are available.</summary>
    public void FirstByte()
    {
        var now = time.GetTimestamp();
        stream.FirstByte(now);
        timeline?.FirstByte(now);
    }

    public void WaitBegins() => Volatile.Write(ref _waitingSince, time.GetTimestamp());

    public void WaitEnds()
    {
        var waited = time.GetElapsedTime(_waitingSince);
        Volatile.Write(ref _waitingSince, 0);
        Volatile.Write(ref _waitedAll, _waitedAll + waited.Ticks);
        if (waited < LeastWait)
            return;
        Volatile.Write(ref _waits, _waits + 1);
        Volatile.Write(ref _waited, _waited + waited.Ticks);
        var wait = waited < ReaderWait.Least ? null : Observe().LastWait;
        timeline?.Waited(time.GetTimestamp(), waited, _position, ReferenceEquals(wait, _reportedWait) ? null : wait?.Trace);
        if (waited < ReaderWait.Least)
            return;
        LongWait?.Invoke(waited, ReferenceEquals(wait, _reportedWait) ? null : wait);
        _reportedWait = wait;
    }

    public void StallBegins() => Volatile.Write(ref _stalledSince, time.GetTimestamp());

    public void StallEnds()
    {
        var now = time.GetTimestamp();
        Volatile.Write(ref _stalled, _stalled + Since(_stalledSince, now));
        Volatile.Write(ref _stalledSince, 0);

        // The client waits for the server only from now on.
        if (Volatile.Read(ref _waitingSince) != 0)
            Volatile.Write(ref _waitingSince, now);
    }

    public void OnSent(int bytes)
    {
        Volatile.Write(ref _position, _position + bytes);
        Volatile.Write(ref _sent, _sent + bytes);
    }

    /// <summary>Called when the reader is closed.</summary>
    public void Closed()
    {
        Volatile.Write(ref _ended, Filler);
        Volatile.Write(ref _reader, null);
    }

    private long Since(long began, long now) => began == 0 ? 0 : time.GetElapsedTime(began, now).Ticks;

    /// <summary>Aborts the connection.</summary>
    public void Abort() => abort();
}
