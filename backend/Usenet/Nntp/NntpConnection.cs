namespace NzbDav.Usenet.Nntp;

/// <summary>
/// One logged-in connection: the one place where socket, buffer and parser meet. Commands are written as they come; one loop
/// receives, and hands bodies from the receive buffer to an <see cref="ArticleReceiver"/>. It ends when the server or the network
/// ends it, when it stalls, or at <see cref="Close"/>; never because a reader went away.
/// </summary>
internal sealed partial class NntpConnection
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

    /// <summary>The request whose end the owner is being told; null: it has heard of all that have ended.</summary>
    private NntpRequest? _telling;

    /// <summary>True when the first bytes of its next line are skipped already.</summary>
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

    /// <summary>True once it has given a valid answer to a request for an article, 430 included.</summary>
    public bool HasServed { get; private set; }

    /// <summary>True when it ended because the server refused to serve articles.</summary>
    public bool WasRefused { get; private set; }

    /// <summary>True when the server or the network ended it, or the server has answered QUIT: it no longer counts it. Known once <see cref="RunAsync"/> has ended.</summary>
    public bool WasEndedByServer { get; private set; }

    /// <summary>True when it was closed because nothing arrived.</summary>
    public bool TimedOut { get; private set; }

    /// <summary>Articles that should be under way for the line to be full.</summary>
    public int Depth => _clock.Depth;

    /// <inheritdoc cref="PipelineDepth.Expect"/>
    public void ExpectDepth(int depth) => _clock.ExpectDepth(depth);

    /// <summary>When the last byte arrived; while the speed limit holds the connection, the time until which it does.</summary>
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

    /// <summary>Ends the connection now; its requests end as lost. Safe from any thread, any number of times.</summary>
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

    /// <summary>Like <see cref="Close"/>, by our own decision: the provider is not blamed, and its requests count as superseded.</summary>
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
            Last = _clock.Lost(HeadSince, _receiver.Request is null ? null : _receiver.Written);
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

    /// <summary>Tells the owner the end of each request that it has not heard of, whatever it throws at one of them.</summary>
    private void EndAll()
    {
        if (_telling is { } unheard)
            TellLost(unheard, AttemptOutcome.Lost);
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
            var outcome = blamed ? AttemptOutcome.NotSent : WasRefused ? AttemptOutcome.Refused : _isGivenUp ? AttemptOutcome.Superseded : AttemptOutcome.Lost;
            blamed = true;
            TellLost(request, outcome);
        }
    }

    private void TellLost(NntpRequest request, AttemptOutcome outcome)
    {
        try
        {
            _owner!.Ended(this, request, outcome, $"the connection to {_account.Name} was lost: {_closeReason}");
        }
        catch (Exception e)
        {
            Fault ??= e;
        }
    }
}
