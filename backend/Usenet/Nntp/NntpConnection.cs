using System.Buffers;
using System.Diagnostics;
using System.Net.Sockets;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Nntp;

/// <summary>
/// One logged-in connection: the one place where socket, buffer and parser meet. Commands are written as they come; one loop
/// receives, and hands bodies from the receive buffer to an <see cref="ArticleReceiver"/>. It ends when the server or the network
/// ends it, when it stalls, or at <see cref="Close"/>; never because a reader went away.
/// </summary>
internal sealed class NntpConnection
{
    /// <summary>
    /// Questions whether articles exist that may be under way: their answers carry nothing, so that it is the round trip alone that bounds them. Few enough that an article which a reader
    /// waits for does not stand behind many of them at a server that must look for each.
    /// </summary>
    private const int StatDepth = 8;

    private static int _last;

    private readonly Lock _gate = new();
    private readonly Queue<ArticleRequest> _sent = new();
    private readonly Socket _socket;
    private readonly Stream _stream;
    private readonly INntpConnectionOwner _owner;
    private readonly ReceiveWindow _received;
    private readonly TimeProvider _time;
    private readonly ArticleReceiver _receiver;
    private readonly PipelineDepth _depth = new();
    private ArrayBufferWriter<byte> _pending = new(512);
    private ArrayBufferWriter<byte> _writing = new(512);
    private bool _isWriting;
    private bool _closed;
    private volatile bool _isGivenUp;
    private string _closeReason = "it was closed";

    // State of the receive loop.
    private long _began;
    private long _finished;
    private bool _finishedFull;
    private long _lastActivity;
    private long _headSince;
    private (long Ticks, int After) _pause;

    public NntpConnection(Provider provider, NntpConnectResult opened, INntpConnectionOwner owner, ReceiveBuffers buffers, TimeProvider time)
    {
        Provider = provider;
        _socket = opened.Socket!;
        _stream = opened.Stream!;
        _owner = owner;
        opened.Below?.Start(buffers);
        _received = new ReceiveWindow(opened, buffers, HoldAsync);
        _time = time;
        _receiver = new ArticleReceiver(provider, time);
        _lastActivity = LastWork = OpenedAt = time.GetTimestamp();
    }

    public Provider Provider { get; }

    /// <summary>Tells it from the other connections of this process.</summary>
    public int Number { get; } = Interlocked.Increment(ref _last);

    /// <summary>When it was opened.</summary>
    public long OpenedAt { get; }

    /// <summary>How many connections of the provider had been found to serve nothing when this one was opened.</summary>
    public int Trial { get; init; }

    /// <summary>True once it has answered a request for an article in earnest, be it by 430.</summary>
    public bool HasServed { get; private set; }

    /// <summary>True when it ended because the server refused to serve articles.</summary>
    public bool WasRefused { get; private set; }

    /// <summary>True when it was closed because nothing came.</summary>
    public bool TimedOut { get; private set; }

    /// <summary>Requests assigned by the dispatcher and not ended, oldest first. For the dispatcher, under its lock.</summary>
    public List<ArticleRequest> Carried { get; } = [];

    /// <summary>How many are <see cref="Carried"/>.</summary>
    public int InFlight => Carried.Count;

    /// <summary>True once it was told to quit; written under the dispatcher's lock.</summary>
    public bool IsLeaving { get; set; }

    /// <summary>Most requests to assign.</summary>
    public int Depth => _depth.Value;

    /// <summary>Of <see cref="InFlight"/>, questions whether an article exists; written under the dispatcher's lock.</summary>
    public int StatsInFlight { get; set; }

    /// <summary>True while nothing comes on it and other connections are at work: what it was given now would stand behind what is late. Written under the dispatcher's lock.</summary>
    public bool IsSuspect { get; set; }

    /// <summary>True when it may be given one more command of this kind: articles stand behind such questions as if they were not there.</summary>
    public bool HasRoomFor(NntpCommand command) => !IsSuspect && !Provider.IsUsedUp && HasPlaceFor(command);

    private bool HasPlaceFor(NntpCommand command) => command == NntpCommand.Stat ? InFlight < Math.Max(Depth, StatDepth) : InFlight - StatsInFlight < Depth;

    /// <inheritdoc cref="PipelineDepth.Expect"/>
    public void ExpectDepth(int depth) => _depth.Expect(depth);

    /// <summary>When the last byte came; while the speed limit holds the connection, the time until which it does.</summary>
    public long LastActivity => Volatile.Read(ref _lastActivity);

    /// <summary>Since when the request that is answered next is the next one; later by as much as the speed limit has held it since.</summary>
    public long HeadSince => Volatile.Read(ref _headSince);

    /// <summary>When something was last sent.</summary>
    public long LastSent { get; private set; }

    /// <summary>When an article was last asked for; keep-alives do not count.</summary>
    public long LastWork { get; private set; }

    /// <summary>Bytes of the last article that came whole; read when it is told to have ended.</summary>
    public int LastBytes { get; private set; }

    /// <summary>How long that took from its first to its last byte.</summary>
    public TimeSpan LastTransfer { get; private set; }

    /// <summary>How long it took from being the next to its last byte, without the round trip.</summary>
    public TimeSpan LastService { get; private set; }

    /// <summary>Since when the request that ended last had been the next one.</summary>
    public long LastHeadSince { get; private set; }

    /// <summary>When the first byte for the request that ended last came; 0: none did.</summary>
    public long LastFirstAt { get; private set; }

    /// <summary>When the request that ended last did.</summary>
    public long LastEndAt { get; private set; }

    /// <summary>The longest time in which nothing came of the article that ended last, in ticks of the clock, and how many of its decoded bytes were there before.</summary>
    public (long Ticks, int After) LastPause { get; private set; }

    /// <summary>Decoded bytes of the article that ended last, whole or not.</summary>
    public int LastWritten { get; private set; }

    /// <summary>Why it ended.</summary>
    public string CloseReason => _closeReason;

    /// <summary>What nobody expects to happen in the receive loop, if it ended by that: a fault of this program.</summary>
    public Exception? Fault { get; private set; }

    /// <summary>True when it takes no requests any more.</summary>
    public bool IsClosed => Volatile.Read(ref _closed);

    /// <summary>True when something is on the wire.</summary>
    public bool IsBusy
    {
        get
        {
            lock (_gate)
                return _sent.Count > 0;
        }
    }

    /// <summary>True when this connection's provider may still help and the request does not go round this connection.</summary>
    public bool MayCarry(ArticleRequest request) =>
        !IsClosed && !IsLeaving && request.Avoid != this && (request.Excluded & Provider.Bit) == 0;

    /// <summary>Sends a command behind those already under way. False when the connection is closed: then nothing was taken.</summary>
    public bool TrySubmit(ArticleRequest request)
    {
        lock (_gate)
        {
            if (_closed)
                return false;
            if (_sent.Count == 0)
                _lastActivity = _time.GetTimestamp();
            request.SentAt = LastSent = _time.GetTimestamp();
            if (request.Command is NntpCommand.Body or NntpCommand.Stat)
                LastWork = LastSent;
            if (_sent.Count == 0)
                Volatile.Write(ref _headSince, LastSent);
            _sent.Enqueue(request);
            if (request.QueuedAt != 0)
                Provider.Metrics.Sent(Provider, _time.GetElapsedTime(request.QueuedAt, request.SentAt), _sent.Count);
            NntpCommandWriter.Write(_pending, request.Command, request.Fetch?.Id ?? "");
            if (_isWriting)
                return true;
            _isWriting = true;
        }

        _ = WriteAsync();
        return true;
    }

    /// <summary>Ends the connection now; its requests end as lost. Safe from any thread, any number of times.</summary>
    /// <param name="reason">Why, in words.</param>
    /// <param name="timedOut">Nothing came for too long.</param>
    public void Close(string reason, bool timedOut = false)
    {
        lock (_gate)
        {
            if (_closed)
                return;
            _closed = true;
            _closeReason = reason;
            TimedOut = timedOut;
        }

        _socket.Dispose();
    }

    /// <summary>As <see cref="Close"/>, by our own will: the provider is not blamed, and what it carries counts as superseded.</summary>
    /// <param name="reason">Why, in words.</param>
    public void GiveUp(string reason)
    {
        _isGivenUp = true;
        Close(reason);
    }

    /// <summary>The receive loop. Ends with the connection; by then every request has ended. Never throws.</summary>
    public async Task RunAsync()
    {
        try
        {
            while (await ReceiveAsync())
                Process();
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException or InvalidOperationException)
        {
            Close(e.Message);
        }
        catch (Exception e)
        {
            Fault = e;
            Close($"an internal error ({e.Message})");
        }

        Close("the server closed it");
        await _stream.DisposeAsync();
        EndAll();
    }

    private async Task WriteAsync()
    {
        try
        {
            while (true)
            {
                lock (_gate)
                {
                    if (_pending.WrittenCount == 0)
                    {
                        _isWriting = false;
                        return;
                    }

                    (_pending, _writing) = (_writing, _pending);
                }

                await _stream.WriteAsync(_writing.WrittenMemory);
                _writing.ResetWrittenCount();
            }
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException or InvalidOperationException)
        {
            Close(e.Message);
        }
    }

    /// <summary>Receives some bytes; false at the end. What was decoded is shown before a wait, so that a reader is not woken for each record of TLS.</summary>
    private async ValueTask<bool> ReceiveAsync()
    {
        var receiving = _received.ReceiveAsync(isIdle: _receiver.Request is null && !IsBusy);
        if (!receiving.IsCompleted)
            _receiver.Show();
        if (await receiving == 0)
            return false;
        var now = _time.GetTimestamp();
        if (_receiver.Request is not null && now - _lastActivity > _pause.Ticks)
            _pause = (now - _lastActivity, _receiver.Written);
        Volatile.Write(ref _lastActivity, now);
        return true;
    }

    /// <summary>The speed limit holds the connection: nobody may take it for slow or silent.</summary>
    private Task HoldAsync(TimeSpan wait)
    {
        var ticks = (long)(wait.TotalSeconds * _time.TimestampFrequency);
        Volatile.Write(ref _lastActivity, _time.GetTimestamp() + ticks);
        lock (_gate)
            Volatile.Write(ref _headSince, _headSince + ticks);
        return Task.Delay(wait, _time);
    }

    private void Process()
    {
        while (!_received.IsEmpty)
        {
            if (_receiver.Request is { } request)
                ReadBody(request, _received.Unread);
            else if (!TryReadStatus(_received.Unread))
                return;
        }
    }

    private bool TryReadStatus(ReadOnlySpan<byte> source)
    {
        var code = NntpStatusLine.Scan(source, out var line, out var consumed);
        if (code < 0)
            return false;
        ArticleRequest? request;
        bool alone;
        lock (_gate)
        {
            alone = _sent.Count == 1;
            request = _sent.TryPeek(out var first) ? first : null;
        }

        _received.Skip(consumed);
        if (code == 0 || request is null)
        {
            // RFC 3977 §3.2.1.1: a server may say 400 unasked when it is about to close an idle connection.
            Close($"the server said \"{NntpStatusLine.TextOf(line)}\"");
            _received.Drop();
            return false;
        }

        Time(request, alone);
        switch (request.Command, code)
        {
            // RFC 3977 §6.2.3.2: 222 n message-id Body follows (multi-line).
            case (NntpCommand.Body, 222):
                HasServed = true;
                _receiver.Begin(request);
                return true;

            // RFC 3977 §6.2.3.2: 430 no article with that message-id; 423 and 420 are said by some servers in its place,
            // 451 by some for an article that was taken down.
            case (NntpCommand.Body or NntpCommand.Stat, 430 or 423 or 420 or 451):
                HasServed |= request.Command == NntpCommand.Body;
                Finish(request, AttemptOutcome.Missing, $"{Provider.Options.DisplayName} said \"{NntpStatusLine.TextOf(line)}\"");
                return true;

            // RFC 3977 §6.2.4.2: 223 n message-id Article exists.
            case (NntpCommand.Stat, 223):
                Finish(request, AttemptOutcome.Found, reason: null);
                return true;

            // RFC 3977 §7.1.2: 111 yyyymmddhhmmss. Servers that do not know DATE say 500: the connection is alive all the same.
            case (NntpCommand.Date, _):
                Finish(request, AttemptOutcome.Found, reason: null);
                return true;

            // RFC 3977 §3.2.1: 400 going away, 502 not permitted; RFC 4643 §2: 480 login lost, 481 and 482 login refused. The article is asked of another provider.
            case (NntpCommand.Body or NntpCommand.Stat, 400 or 480 or 481 or 482 or 502):
                WasRefused = true;
                goto default;

            // 503 fault, or an answer to something else: out of step, start anew.
            default:
                Close($"the server said \"{NntpStatusLine.TextOf(line)}\"");
                _received.Drop();
                return false;
        }
    }

    private void Time(ArticleRequest request, bool alone)
    {
        var now = LastActivity;
        _pause = default;
        if (alone && request.Command == NntpCommand.Body && request.SentAt > _finished)
            Provider.RoundTripMeasured(_time.GetElapsedTime(request.SentAt, now));
        else if (_finished != 0 && request.SentAt <= _finished)
            _depth.Began(_finishedFull, _time.GetElapsedTime(_finished, Math.Max(now, _finished)), _time.GetElapsedTime(_began, _finished));
        if (request.Command == NntpCommand.Body)
            Provider.Metrics.FirstByte(Provider, _time.GetElapsedTime(Math.Min(now, Math.Max(request.SentAt, _finished)), now));
        _began = now;
    }

    private void ReadBody(ArticleRequest request, ReadOnlySpan<byte> source)
    {
        var ended = _receiver.Feed(source, out var consumed);
        _received.Skip(consumed);
        if (!ended)
            return;
        LastWritten = _receiver.Written;
        if (_receiver.IsIntact)
        {
            LastBytes = _receiver.Written;
            LastTransfer = _time.GetElapsedTime(_began, Math.Max(_began, LastActivity));
            var service = _time.GetElapsedTime(HeadSince, Math.Max(HeadSince, LastActivity)) - (request.SentAt >= HeadSince ? Provider.RoundTrip : TimeSpan.Zero);
            LastService = service > LastTransfer ? service : LastTransfer;
            Provider.Counted(LastBytes);
            var receive = LastTransfer - _receiver.DecodeTime;
            Provider.Metrics.Received(Provider, receive > TimeSpan.Zero ? receive : TimeSpan.Zero, _receiver.DecodeTime, LastBytes);
        }

        var end = _receiver.End();
        if (end.Odd is { } odd)
        {
            Leave(request);
            _owner.EndedOdd(this, request, odd, end.Header!);
            return;
        }

        Finish(request, end.Outcome, end.Reason);
    }

    private void Finish(ArticleRequest request, AttemptOutcome outcome, string? reason)
    {
        Leave(request);
        _owner.Ended(this, request, outcome, reason);
    }

    private void Leave(ArticleRequest request)
    {
        lock (_gate)
        {
            _finishedFull = _sent.Count >= _depth.Value;
            LastHeadSince = _headSince;
            var first = _sent.Dequeue();
            Debug.Assert(first == request, "responses come in the order of the commands");
            Volatile.Write(ref _headSince, LastActivity);
        }

        _finished = LastEndAt = LastActivity;
        LastFirstAt = _began;
        LastPause = _pause;
    }

    private void EndAll()
    {
        LastWritten = _receiver.Request is null ? 0 : _receiver.Written;
        LastFirstAt = _receiver.Request is null ? 0 : _began;
        LastHeadSince = HeadSince;
        LastPause = _receiver.Request is null ? default : _pause;
        LastEndAt = _time.GetTimestamp();
        _receiver.Abandon();
        _received.Release();
        var blamed = false;
        while (true)
        {
            ArticleRequest? request;
            lock (_gate)
            {
                if (!_sent.TryDequeue(out request))
                    return;
            }

            // Only the one that was being answered may have been the cause; those behind it were never looked at.
            var outcome = blamed ? AttemptOutcome.NotSent : WasRefused ? AttemptOutcome.Refused : _isGivenUp ? AttemptOutcome.Superseded : AttemptOutcome.Lost;
            blamed = true;
            _owner.Ended(this, request, outcome, $"the connection to {Provider.Options.DisplayName} was lost: {_closeReason}");
        }
    }
}
