using System.Diagnostics;
using System.Net.Sockets;
using NzbDav.Content.Rates;

namespace NzbDav.Usenet.Nntp;

/// <summary>
/// One logged-in connection: the one place where socket, buffer and parser meet. Commands are written as they come; one loop
/// receives, and hands bodies from the receive buffer to an <see cref="ArticleReceiver"/>. It ends when the server or the network
/// ends it, when it stalls, or at <see cref="Close"/>; never because a reader went away.
/// </summary>
internal sealed class NntpConnection
{
    private static int _last;

    private readonly Lock _gate = new();
    private readonly Queue<NntpRequest> _sent = new();
    private readonly IDisposable _transport;
    private readonly Stream _stream;
    private readonly INntpAccount _account;
    private readonly ReceiveWindow _received;
    private readonly TimeProvider _time;
    private readonly ArticleReceiver _receiver;
    private readonly AnswerClock _clock;
    private readonly CommandPipe _commands;
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private bool _closed;
    private volatile bool _isGivenUp;
    private string _closeReason = "it was closed";

    // State of the receive loop.
    private INntpConnectionOwner? _owner;

    /// <summary>The request whose block of lines is being skipped; null: none is.</summary>
    private NntpRequest? _skippedFor;

    /// <summary>The request whose end is being reported to the owner; null: all ends have been reported.</summary>
    private NntpRequest? _reporting;

    /// <summary>True when the first bytes of the block's next line are skipped already.</summary>
    private bool _isWithinLine;
    private long _lastActivity;
    private long _headSince;

    /// <param name="account">Whose connection it is.</param>
    /// <param name="opened">The connection, logged in; owned from here on.</param>
    /// <param name="buffers">Its receive buffers.</param>
    /// <param name="time">Clock.</param>
    public NntpConnection(INntpAccount account, NntpConnectResult opened, ReceiveBuffers buffers, TimeProvider time)
    {
        _account = account;
        _transport = opened.Transport!;
        _stream = opened.Stream!;
        opened.Below?.Start(buffers);
        _clock = new AnswerClock(account, time);
        _commands = new CommandPipe(_gate, _stream, reason => Close(reason));
        _received = new ReceiveWindow(opened, buffers, HoldAsync);
        _time = time;
        _receiver = new ArticleReceiver(account, time);
        _lastActivity = LastWork = OpenedAt = time.GetTimestamp();
    }

    /// <summary>Unique among the connections of this process.</summary>
    public int Number { get; } = Interlocked.Increment(ref _last);

    /// <summary>When it was opened.</summary>
    public long OpenedAt { get; }

    /// <summary>How many connections of the provider had been found to serve nothing when this one was opened.</summary>
    public int Trial { get; init; }

    /// <summary>True once it has given a valid answer to a BODY, 430 included.</summary>
    public bool HasServed { get; private set; }

    /// <summary>True when it ended because the server refused to serve articles.</summary>
    public bool WasRefused { get; private set; }

    /// <summary>
    /// True when the server or the network ended it, or the server answered QUIT: the server no longer counts it. Known once
    /// <see cref="RunAsync"/> has ended.
    /// </summary>
    public bool WasEndedByServer { get; private set; }

    /// <summary>True when it was closed because nothing arrived.</summary>
    public bool TimedOut { get; private set; }

    /// <summary>Articles that should be under way for the line to be full.</summary>
    public int Depth => _clock.Depth;

    /// <inheritdoc cref="PipelineDepth.Expect"/>
    public void ExpectDepth(int depth) => _clock.ExpectDepth(depth);

    /// <summary>
    /// When the last byte arrived, or when a request was sent over the idle connection; while the speed limit holds the connection, the
    /// time until which it does.
    /// </summary>
    public long LastActivity => Volatile.Read(ref _lastActivity);

    /// <summary>When the request to be answered next became the next one; moved forward by any wait for the speed limit since.</summary>
    public long HeadSince => Volatile.Read(ref _headSince);

    /// <summary>When something was last sent.</summary>
    public long LastSent { get; private set; }

    /// <summary>When an article was last asked for; keep-alives do not count.</summary>
    public long LastWork { get; private set; }

    /// <summary>Measurements of the request that ended last. Set before the owner is notified; owned by the receive loop.</summary>
    public RequestEnd Last { get; private set; }

    /// <summary>Why it ended.</summary>
    public string CloseReason => _closeReason;

    /// <summary>The unexpected exception that ended the receive loop, if any: a bug in this program.</summary>
    public Exception? Fault { get; private set; }

    /// <summary>True when it accepts no more requests.</summary>
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

    /// <summary>Sends a command behind those already under way. False when the connection is closed: then nothing was taken.</summary>
    public bool TrySubmit(NntpRequest request)
    {
        int depth;
        bool mayWrite;
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
            request.Sent = request.Command == NntpCommand.Stat ? _account.ExistenceCommand : request.Command;
            mayWrite = _commands.Add(request.Sent, request.MessageId);
            _sent.Enqueue(request);
            depth = _sent.Count;
        }

        if (mayWrite)
            _ = _commands.WriteAsync();
        try
        {
            if (request.QueuedAt != 0)
                _account.Sent(_time.GetElapsedTime(request.QueuedAt, request.SentAt), depth);
        }
        catch (Exception e)
        {
            Break(e);
        }

        return true;
    }

    /// <summary>
    /// Ends the connection now: the request to be answered next ends as lost, those behind it as not sent. Safe from any thread, any number
    /// of times.
    /// </summary>
    /// <param name="reason">Why, as text.</param>
    /// <param name="timedOut">True when nothing arrived for too long.</param>
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

        _transport.Dispose();
        _ended.SetResult();
    }

    /// <summary>
    /// Like <see cref="Close"/>, by our own decision: the provider is not blamed, as the request to be answered next ends as superseded.
    /// </summary>
    /// <param name="reason">Why, as text.</param>
    public void GiveUp(string reason)
    {
        _isGivenUp = true;
        Close(reason);
    }

    /// <summary>The receive loop. Ends with the connection; by then every request has ended. Never throws. Called once.</summary>
    /// <param name="owner">Receives the outcome of each request.</param>
    public async Task RunAsync(INntpConnectionOwner owner)
    {
        _owner = owner;
        try
        {
            while (await ReceiveAsync())
                Process();
            WasEndedByServer |= !IsClosed;
        }
        catch (Exception e)
        {
            Break(e);
        }

        Close("the server closed it");
        try
        {
            await _stream.DisposeAsync();
            Last = _clock.ConnectionLost(HeadSince, _receiver.Request is null ? null : _receiver.Written);
            _receiver.Abandon();
            _received.Release();
        }
        catch (Exception e)
        {
            Break(e);
        }

        EndAll();
    }

    /// <summary>Ends the connection because of a bug in this program.</summary>
    private void Break(Exception fault)
    {
        Fault ??= fault;
        Close($"an internal error ({fault.Message})");
    }

    /// <summary>Reports to the owner each request that has not been reported as ended, even if the owner throws.</summary>
    private void EndAll()
    {
        if (_reporting is { } unheard)
            ReportLost(unheard, AttemptOutcome.Lost);
        var blamed = false;
        while (true)
        {
            NntpRequest? request;
            lock (_gate)
            {
                if (!_sent.TryDequeue(out request))
                    return;
            }

            // Only the request being answered may have been the cause; those behind it were never processed.
            var outcome = blamed ? AttemptOutcome.NotSent
                : WasRefused ? AttemptOutcome.Refused
                : _isGivenUp ? AttemptOutcome.Superseded
                : TimedOut ? AttemptOutcome.TimedOut : AttemptOutcome.Lost;
            blamed = true;
            ReportLost(request, outcome);
        }
    }

    private void ReportLost(NntpRequest request, AttemptOutcome outcome)
    {
        try
        {
            _owner!.Ended(this, request, new AttemptEnd(outcome, $"the connection to {_account.Name} was lost: {_closeReason}"));
        }
        catch (Exception e)
        {
            Fault ??= e;
        }
    }

    // The receive loop: splits the received bytes into status lines and bodies.

    /// <summary>
    /// Receives some bytes; false at the end. Decoded bytes are published before a wait, so that a reader is not woken for each TLS record.
    /// </summary>
    private async ValueTask<bool> ReceiveAsync()
    {
        var receiving = _received.ReceiveAsync(isIdle: _receiver.Request is null && !IsBusy);
        if (!receiving.IsCompleted)
            _receiver.Show();
        try
        {
            if (await receiving == 0)
                return false;
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException or InvalidOperationException)
        {
            WasEndedByServer |= !IsClosed;
            Close(e.Message);
            return false;
        }

        var now = _time.GetTimestamp();
        if (_receiver.Request is not null)
            _clock.Waited(now - _lastActivity, _receiver.Written);
        Volatile.Write(ref _lastActivity, now);
        return true;
    }

    /// <summary>
    /// Waits as the speed limit demands, until it changes or the connection is closed. Meanwhile the connection must not count as slow or
    /// silent.
    /// </summary>
    private async Task HoldAsync(RateHold hold)
    {
        var ticks = (long)(hold.Wait.TotalSeconds * _time.TimestampFrequency);
        var until = _time.GetTimestamp() + ticks;
        long headSince;
        Volatile.Write(ref _lastActivity, until);
        lock (_gate)
        {
            headSince = _headSince + ticks;
            Volatile.Write(ref _headSince, headSince);
        }

        using (var ended = CancellationTokenSource.CreateLinkedTokenSource(hold.Changed))
        {
            await Task.WhenAny(Task.Delay(hold.Wait, _time, ended.Token), _ended.Task);
            await ended.CancelAsync();
        }

        // Receiving may go on for long without a wait: not on the thread that changed the limit.
        if (hold.Changed.IsCancellationRequested)
            await Task.Yield();

        var now = _time.GetTimestamp();
        if (now >= until)
            return;
        Volatile.Write(ref _lastActivity, now);
        lock (_gate)
        {
            // A request sent meanwhile over an idle connection has set its own.
            if (_headSince == headSince)
                Volatile.Write(ref _headSince, headSince - (until - now));
        }
    }

    private void Process()
    {
        while (!_received.IsEmpty)
        {
            if (_receiver.Request is { } request)
                ReadBody(request, _received.Unread);
            else if (_skippedFor is { } skipped)
            {
                if (!TrySkipLine(skipped, _received.Unread))
                    return;
            }
            else if (!TryReadStatus(_received.Unread))
                return;
        }
    }

    private bool TryReadStatus(ReadOnlySpan<byte> source)
    {
        var code = NntpStatusLine.Scan(source, out var line, out var consumed);
        if (code < 0)
            return false;
        NntpRequest? request;
        bool alone;
        lock (_gate)
        {
            alone = _sent.Count == 1;
            request = _sent.TryPeek(out var first) ? first : null;
        }

        _received.Skip(consumed);
        if (code == 0 || request is null)
        {
            // RFC 3977 §3.2.1.1: a server may say 400 unprompted when it is about to close an idle connection.
            Close($"the server said \"{NntpStatusLine.TextOf(line)}\"");
            _received.Drop();
            return false;
        }

        _clock.AnswerStarted(request, alone, LastActivity);
        switch (NntpAnswers.Of(request.Command, request.Sent, code))
        {
            case NntpAnswer.BodyFollows:
                HasServed = true;
                _receiver.Begin(request);
                return true;
            case NntpAnswer.HeadersFollow:
                HasServed = true;
                _receiver.Begin(request, isHeadersAlone: true);
                return true;
            case NntpAnswer.Yes:
                Finish(request, new AttemptEnd(AttemptOutcome.Found));
                return true;
            case NntpAnswer.YesAndBlock:
                _skippedFor = request;
                return true;
            case NntpAnswer.Unknown:
                // The same provider is asked again, by another command.
                _account.OnCommandUnsupported(request.Sent);
                Finish(request, new AttemptEnd(AttemptOutcome.NotSent, $"{_account.Name} said \"{NntpStatusLine.TextOf(line)}\""));
                return true;
            case NntpAnswer.No:
                HasServed |= request.Command == NntpCommand.Body;
                Finish(request, new AttemptEnd(AttemptOutcome.Missing, $"{_account.Name} said \"{NntpStatusLine.TextOf(line)}\""));
                return true;
            case NntpAnswer.Refused:
                // The article is requested from another provider.
                WasRefused = true;
                goto default;
            default:
                WasEndedByServer = request.Command == NntpCommand.Quit;
                Close($"the server said \"{NntpStatusLine.TextOf(line)}\"");
                _received.Drop();
                return false;
        }
    }

    /// <summary>
    /// Skips a line of a block that nobody needs; false when none is complete. RFC 3977 §3.1.1: a line with a dot alone ends the block.
    /// </summary>
    private bool TrySkipLine(NntpRequest request, ReadOnlySpan<byte> source)
    {
        var end = source.IndexOf((byte)'\n');
        if (end < 0 && source.Length <= NntpStatusLine.MaxLength)
            return false;
        var isLast = end >= 0 && !_isWithinLine && source[..end].TrimEnd((byte)'\r') is [(byte)'.'];
        _isWithinLine = end < 0;
        _received.Skip(end < 0 ? source.Length : end + 1);
        if (!isLast)
            return true;
        _skippedFor = null;
        Finish(request, new AttemptEnd(AttemptOutcome.Found));
        return true;
    }

    private void ReadBody(NntpRequest request, ReadOnlySpan<byte> source)
    {
        var ended = _receiver.Feed(source, out var consumed);
        _received.Skip(consumed);
        if (!ended)
            return;
        _clock.ArticleReceived(_receiver.Written);
        if (_receiver.IsIntact)
            _clock.ArticleCompleted(request, HeadSince, LastActivity, _receiver.DecodeTime);
        Finish(request, _receiver.End());
    }

    private void Finish(NntpRequest request, AttemptEnd end)
    {
        DequeueAnswered(request);
        _owner!.Ended(this, request, end);
        _reporting = null;
    }

    private void DequeueAnswered(NntpRequest request)
    {
        long headSince;
        bool wasFull;
        _reporting = request;
        lock (_gate)
        {
            wasFull = _sent.Count >= Depth;
            headSince = _headSince;
            var first = _sent.Dequeue();
            Debug.Assert(first == request, "responses come in the order of the commands");
            Volatile.Write(ref _headSince, LastActivity);
        }

        Last = _clock.Ended(headSince, LastActivity, wasFull);
    }
}

/// <summary>
/// Receives the outcome of each request on a connection. Called from the receive loop, outside locks; must not block. A call that throws
/// ends the connection, and the request's end is reported once more.
/// </summary>
internal interface INntpConnectionOwner
{
    /// <summary>Called when a request ended; the connection has room for another.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="request">The request.</param>
    /// <param name="end">How it ended; the callee owns its buffer.</param>
    void Ended(NntpConnection connection, NntpRequest request, AttemptEnd end);
}
