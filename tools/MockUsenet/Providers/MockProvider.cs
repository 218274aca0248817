using System.Collections.Concurrent;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace NzbDav.MockUsenet;

/// <summary>
/// One NNTP server over an <see cref="ArticleStore"/> that may be shared with others. Serves from the moment it is started until
/// it is disposed, which ends every connection. All properties may be changed while it serves. Thread-safe.
/// </summary>
public sealed class MockProvider : IAsyncDisposable
{
    private readonly MockProviderOptions _options;
    private readonly Socket _listener;
    private readonly CancellationTokenSource _stop = new();
    private readonly ConcurrentDictionary<Connection, Task> _connections = new();
    private readonly Task _accepting;
    private readonly SslServerAuthenticationOptions? _authentication;
    private long _latency;
    private long _jitter;
    private long _ghosts;
    private int _refuseLogins;

    private MockProvider(ArticleStore store, MockProviderOptions options)
    {
        (Store, _options) = (store, options);
        (Latency, Jitter, ConnectionRate) = (options.Latency, options.Jitter, options.ConnectionRate);
        (MaxConnections, CapRefusal, Holds) = (options.MaxConnections, options.CapRefusal, options.Holds);
        Ghosts = options.Ghosts;
        Line = new Pacer(options.TotalRate, Pacer.SharedPieces);
        Scheduler = options.Time == TimeProvider.System ? PreciseScheduler.Shared : new TimerScheduler(options.Time);
        if (options.Tls)
        {
            Certificate = options.Certificate ?? MockCertificate.Shared;

            // One context for all connections: a ticket that one of them gave can be read by the next.
            _authentication = new SslServerAuthenticationOptions { ServerCertificateContext = SslStreamCertificateContext.Create(Certificate, additionalCertificates: null, offline: true) };
        }

        _listener = new Socket(options.Address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            _listener.Bind(new IPEndPoint(options.Address, options.Port));
            _listener.Listen(512);
        }
        catch (SocketException)
        {
            _listener.Dispose();
            throw;
        }

        Port = ((IPEndPoint)_listener.LocalEndPoint!).Port;
        _accepting = AcceptAsync();
    }

    public string Name => _options.Name;

    public int Port { get; }

    public ArticleStore Store { get; }

    /// <summary>What clients have to trust; null without TLS.</summary>
    public X509Certificate2? Certificate { get; }

    /// <summary>Decides what happens to each request for an article, before <see cref="Faults"/> do; null: nothing does.</summary>
    public IReplyScript? Script { get; set; }

    /// <inheritdoc cref="MockProviderOptions.KeepsArticles"/>
    public bool KeepsArticles => _options.KeepsArticles;

    /// <summary>What goes wrong with articles.</summary>
    public FaultPlan Faults { get; } = new();

    /// <inheritdoc cref="MockProviderOptions.Latency"/>
    public TimeSpan Latency
    {
        get => TimeSpan.FromTicks(Volatile.Read(ref _latency));
        set => Volatile.Write(ref _latency, value.Ticks);
    }

    /// <inheritdoc cref="MockProviderOptions.Jitter"/>
    public TimeSpan Jitter
    {
        get => TimeSpan.FromTicks(Volatile.Read(ref _jitter));
        set => Volatile.Write(ref _jitter, value.Ticks);
    }

    /// <inheritdoc cref="MockProviderOptions.ConnectionRate"/>
    public long ConnectionRate { get; set; }

    /// <inheritdoc cref="MockProviderOptions.TotalRate"/>
    public long TotalRate
    {
        get => Line.Rate;
        set => Line.Rate = value;
    }

    /// <summary>Connections that are open when it is lowered stay open.</summary>
    public int MaxConnections { get; set; }

    public CapRefusal CapRefusal { get; set; }

    /// <inheritdoc cref="MockProviderOptions.Ghosts"/>
    public TimeSpan Ghosts
    {
        get => TimeSpan.FromTicks(Volatile.Read(ref _ghosts));
        set => Volatile.Write(ref _ghosts, value.Ticks);
    }

    /// <inheritdoc cref="MockProviderOptions.Holds"/>
    public Func<PostedSegment, bool>? Holds { get; set; }

    /// <summary>New connections are reset before a greeting.</summary>
    public bool RefuseConnections { get; set; }

    /// <summary>How many of the next logins are refused with 481, right or wrong; <see cref="int.MaxValue"/> = all.</summary>
    public int RefuseLogins
    {
        get => Volatile.Read(ref _refuseLogins);
        set => Volatile.Write(ref _refuseLogins, value);
    }

    /// <summary>Logins work, and whoever asks for an article gets 502 and loses the connection, as where a quota is used up.</summary>
    public bool RefuseBodies { get; set; }

    /// <summary>The numbers so far.</summary>
    public ProviderStats Stats => Counters.Snapshot(Name, Port);

    internal ProviderCounters Counters { get; } = new();

    internal IDelayScheduler Scheduler { get; }

    internal Pacer Line { get; }

    internal MockLine? SharedLine => _options.Line;

    internal TimeProvider Time => _options.Time;

    internal bool NeedsLogin => _options.Username is not null;

    /// <summary>False when no reply ever has to wait, so that nobody need look at the clock.</summary>
    internal bool HasDelays => Volatile.Read(ref _latency) > 0 || Volatile.Read(ref _jitter) > 0 || ConnectionRate > 0 || Line.Rate > 0 || SharedLine is not null || Script is not null;

    /// <summary>Binds and serves. Throws <see cref="SocketException"/> when the port is taken.</summary>
    public static MockProvider Start(ArticleStore store, MockProviderOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(store);
        return new MockProvider(store, options ?? new MockProviderOptions());
    }

    /// <summary>Ends the connections that are open now, by RST or by FIN.</summary>
    /// <param name="reset">By RST.</param>
    /// <param name="keep">So many stay open, whichever they are.</param>
    public void DropConnections(bool reset = true, int keep = 0)
    {
        foreach (var connection in _connections.Keys.Skip(keep))
            connection.Abort(reset);
    }

    /// <summary>All numbers to zero, but for the connections that are open.</summary>
    public void ResetStats() => Counters.Reset();

    public async ValueTask DisposeAsync()
    {
        if (_stop.IsCancellationRequested)
            return;
        await _stop.CancelAsync();
        _listener.Dispose();
        await _accepting;
        DropConnections();
        await Task.WhenAll(_connections.Values);
        _stop.Dispose();
    }

    /// <summary>A connection that counted is over.</summary>
    /// <param name="vanished">The client left without QUIT: the place is not free yet.</param>
    internal void GiveBack(bool vanished)
    {
        if (vanished && Ghosts > TimeSpan.Zero)
            _ = LayGhostAsync(Ghosts);
        else
            Counters.Closed();
    }

    internal bool Login(string user, string password)
    {
        var accepted = !TakeRefusal() && (!NeedsLogin || (Same(user, _options.Username) && Same(password, _options.Password)));
        Counters.Login(accepted);
        return accepted;
    }

    /// <summary>The answer to STAT, HEAD, BODY or ARTICLE for a message-id without its brackets.</summary>
    internal Reply Answer(NntpVerb verb, ReadOnlySpan<byte> messageId)
    {
        var segment = Store.Find(messageId);
        if (segment is null)
            return Replies.NoSuchArticle;
        var wantsBody = verb is NntpVerb.Body or NntpVerb.Article;
        if (wantsBody)
            Counters.Asked(segment);
        if (Holds is { } holds && !holds(segment))
            return Replies.NoSuchArticle;
        var scripted = Script?.Answer(segment, wantsBody) ?? default;
        var fault = scripted.Fault ?? (wantsBody ? Faults.Strike(segment) : Faults.Peek(segment));
        if (wantsBody && fault is not null)
            Counters.Fault(fault.Kind);
        if (fault?.Kind == FaultKind.Missing || (fault?.Kind == FaultKind.StatLies && verb != NntpVerb.Stat))
            return Reply.FromText(Replies.NoSuchArticle) with { Delay = scripted.Delay.Ticks };
        var kind = verb switch
        {
            NntpVerb.Stat => ReplyKind.Stat,
            NntpVerb.Head => ReplyKind.Head,
            NntpVerb.Body => ReplyKind.Body,
            _ => ReplyKind.Article,
        };
        return new Reply { Kind = kind, Segment = segment, Fault = wantsBody ? fault : null, Delay = scripted.Delay.Ticks, Rate = scripted.Rate };
    }

    internal async Task<Transport> SecureAsync(Socket socket, DelayWaiter delay)
    {
        if (_authentication is null)
            return new Transport(socket);
        if (Latency > TimeSpan.Zero)
            await delay.UntilAsync(Scheduler.Now + Latency.Ticks);
        var tls = new TlsTransport(socket);
        try
        {
            Counters.Handshake(await tls.HandshakeAsync(_authentication, _stop.Token));
            return tls;
        }
        catch
        {
            tls.Dispose();
            throw;
        }
    }

    private static bool Same(string given, string? wanted) =>
        CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(given), Encoding.UTF8.GetBytes(wanted ?? ""));

    private async Task LayGhostAsync(TimeSpan after)
    {
        try
        {
            await Task.Delay(after, Time, _stop.Token);
        }
        catch (OperationCanceledException)
        {
            // Nobody counts any more.
        }

        Counters.Closed();
    }

    private bool TakeRefusal()
    {
        while (true)
        {
            var left = RefuseLogins;
            if (left <= 0)
                return false;
            if (left == int.MaxValue || Interlocked.CompareExchange(ref _refuseLogins, left - 1, left) == left)
                return true;
        }
    }

    private async Task AcceptAsync()
    {
        for (long number = 0; ; number++)
        {
            Socket socket;
            try
            {
                socket = await _listener.AcceptAsync(_stop.Token);
            }
            catch (Exception e) when (e is OperationCanceledException or ObjectDisposedException)
            {
                return;
            }
            catch (SocketException)
            {
                // The client gave up between its SYN and our accept.
                continue;
            }

            if (RefuseConnections)
            {
                Counters.Refused();
                using var refused = new Transport(socket);
                refused.Abort(reset: true);
                continue;
            }

            socket.NoDelay = true;
            var counted = Counters.TryOpen(MaxConnections);
            if (!counted)
                Counters.Refused();
            var connection = new Connection(this, socket, counted, SeedHash.Of(_options.Seed, Name, number));
            // Entered before it runs: a connection that ends at once must find itself to remove.
            _connections[connection] = Task.CompletedTask;
            _connections.TryUpdate(connection, Task.Run(() => ServeAsync(connection)), Task.CompletedTask);
        }
    }

    private async Task ServeAsync(Connection connection)
    {
        await connection.RunAsync();
        _connections.TryRemove(connection, out _);
    }
}
