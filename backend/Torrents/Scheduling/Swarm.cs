using System.Net;
using NzbDav.Content;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// The state machine of one torrent. Everything happens under <see cref="Gate"/>, in short steps that events cause: a message, a block, a verified
/// piece, a reader that moves. Sending, copying, hashing and files are outside of it. Lock order: gate, then a slot's, the store's, the pool's, an outbox's.
/// </summary>
internal sealed partial class Swarm : IBudgetWaiter, IAsyncDisposable
{
    [ThreadStatic]
    private static List<Peer>? _spare;

    private readonly CancellationTokenSource _stopping = new();
    private readonly TaskCompletionSource<TorrentInfo> _described = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _empty = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly List<Peer> _peers = [];
    private readonly List<ReaderWindow> _readers = [];
    private readonly Dictionary<ReaderWindow, TorrentWaiter> _waiters = [];
    private readonly PeerBook _book = new();
    private readonly Choker _choker = new();
    private readonly BlameLedger _blame = new();
    private readonly AvailabilityLedger _availability;
    private readonly MetadataExchange _metadata;
    private readonly ITimer _timer;
    private List<Peer> _dirty = [];
    private int _numbers;
    private int _dialling;
    private long _lastRound;
    private long _lastKeepAlive;
    private bool _background;
    private bool _closed;

    /// <param name="context">What the engine's torrents share.</param>
    /// <param name="hash">The torrent.</param>
    public Swarm(SwarmContext context, InfoHash hash)
    {
        Context = context;
        Hash = hash;
        Blocks = new BlockReceiver(this);
        _availability = new AvailabilityLedger(_readers, HurryWaiting);
        _metadata = new MetadataExchange(hash);
        Stopping = _stopping.Token;
        _lastRound = _lastKeepAlive = Now;

        // Time-outs, redials and choke rounds; nothing that moves data waits for it.
        _timer = context.Time.CreateTimer(static state => ((Swarm)state!).Tend(), this, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1));
    }

    public SwarmContext Context { get; }

    public InfoHash Hash { get; }

    public Lock Gate { get; } = new();

    public BlockReceiver Blocks { get; }

    public SwarmCounters Counters { get; } = new();

    public TorrentMetrics Metrics => Context.Metrics;

    /// <summary>Fires when the torrent is closed.</summary>
    public CancellationToken Stopping { get; }

    /// <summary>Completes with what the torrent holds; cancelled if it is closed before.</summary>
    public Task<TorrentInfo> Described => _described.Task;

    /// <summary>Null until the torrent is described.</summary>
    public PieceTable? Table { get; private set; }

    /// <summary>Null until the torrent is described.</summary>
    public TorrentPieces? Pieces { get; private set; }

    /// <summary>Null until the torrent is described.</summary>
    public RequestScheduler? Scheduler { get; private set; }

    /// <summary>Ticks of 100 ns on the engine's clock.</summary>
    public long Now => Context.Time.GetElapsedTime(0).Ticks;

    /// <summary>The longest message that a peer may send: a bitfield or a piece of metadata.</summary>
    public int MostMessage => Table is { } table ? Math.Max(BitField.Bytes(table.Info.PieceCount) + 1, 64 << 10) : (InfoReader.MostPieces / 8) + 1;

    /// <summary>Connected peers.</summary>
    public int PeerCount
    {
        get
        {
            lock (Gate)
                return _peers.Count;
        }
    }

    /// <summary>Why the peer that left last did; null while none has.</summary>
    public string? LastFarewell { get; private set; }

    /// <summary>Something is missing, and nobody is connected who could have it.</summary>
    public bool IsAlone
    {
        get
        {
            lock (Gate)
                return _peers.Count == 0 && Table is not { Have.IsFull: true };
        }
    }

    /// <summary>The torrent's info dictionary is known from here on.</summary>
    public void Describe(TorrentInfo info)
    {
        lock (Gate)
        {
            if (_closed || Table is not null)
                return;
            Pieces = Context.Store.Open(info, Dropped, out var held);
            Table = new PieceTable(info, held, Context.Pool, this);
            Scheduler = new RequestScheduler(Table, _peers, _readers, MarkDirty) { Background = _background };
            _availability.Describe(Table, _peers);
            foreach (var peer in _peers)
                TellAll(peer);
            Scheduler.RefillAll(Now);
        }

        _described.TrySetResult(info);
        Flush();
        Dial();
    }

    /// <summary>Adds addresses and dials them if there is room.</summary>
    public void AddPeers(IEnumerable<IPEndPoint> endpoints)
    {
        lock (Gate)
        {
            foreach (var endpoint in endpoints)
                _book.Add(endpoint);
        }

        Dial();
    }

    /// <summary>A peer that came to us; its handshake is still to be read, if <paramref name="received"/> does not hold it.</summary>
    public void Accept(ITransport transport, ReadOnlyMemory<byte> received)
    {
        Peer? peer = null;
        lock (Gate)
        {
            if (!_closed && _peers.Count < Context.Options.MostPeers && !_book.IsBanned(transport.Remote))
                peer = Join(transport, listening: null);
        }

        if (peer is null)
            transport.Dispose();
        else
            Start(peer, received);
    }

    /// <summary>Fetches all of the torrent, or only what readers want.</summary>
    public void SetBackground(bool background)
    {
        lock (Gate)
        {
            _background = background;
            if (Scheduler is null)
                return;
            Scheduler.Background = background;
            Scheduler.RefillAll(Now);
        }

        Flush();
    }

    /// <summary>A peer has something to be sent. Under the gate.</summary>
    public void MarkDirty(Peer peer)
    {
        if (peer.IsDirty)
            return;
        peer.IsDirty = true;
        _dirty.Add(peer);
    }

    /// <summary>Sends what was added to outboxes. Outside the gate.</summary>
    public void Flush()
    {
        List<Peer> dirty;
        lock (Gate)
        {
            if (_dirty.Count == 0)
                return;
            dirty = _dirty;
            _dirty = _spare ?? [];
            _spare = null;
            foreach (var peer in dirty)
            {
                peer.IsDirty = false;
                peer.Gather();
            }
        }

        foreach (var peer in dirty)
            peer.Outbox.Flush();
        dirty.Clear();
        _spare = dirty;
    }

    /// <inheritdoc/>
    public void BudgetFreed() => ThreadPool.QueueUserWorkItem(
        static swarm =>
        {
            lock (swarm.Gate)
                swarm.Scheduler?.RefillAll(swarm.Now);
            swarm.Flush();
        },
        this,
        preferLocal: false);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        Peer[] peers;
        lock (Gate)
        {
            if (_closed)
                return;
            _closed = true;
            peers = [.. _peers];
            if (_peers.Count == 0 && _dialling == 0)
                _empty.TrySetResult();
        }

        await _stopping.CancelAsync();
        await _timer.DisposeAsync();
        _described.TrySetCanceled(CancellationToken.None);
        foreach (var peer in peers)
            peer.Connection.Dispose();
        await _empty.Task;
        lock (Gate)
        {
            foreach (var waiter in _waiters.Values)
                waiter.Fail("The torrent was closed.");
            if (Table is { } table)
            {
                // Those that are being hashed go back when the hash is made.
                foreach (var slot in table.Open.Where(static slot => !slot.IsVerifying).ToArray())
                {
                    table.Close(slot);
                    slot.Buffer.Release();
                }
            }
        }

        _stopping.Dispose();
    }

    private Peer Join(ITransport transport, IPEndPoint? listening)
    {
        var peer = new Peer(this, transport, ++_numbers, listening) { Joined = Now, LastHeard = Now };
        _peers.Add(peer);
        return peer;
    }

    private void Start(Peer peer, ReadOnlyMemory<byte> received)
    {
        peer.Outbox.Handshake(new Handshake(Hash, Context.PeerId, Fast: true, Extensions: true));
        peer.Outbox.Flush();
        _ = Task.Run(() => peer.Connection.RunAsync(received));
    }

    private void Dial()
    {
        while (true)
        {
            KnownPeer? known;
            lock (Gate)
            {
                if (_closed || _dialling >= Context.Options.MostDials || _peers.Count + _dialling >= Context.Options.MostPeers)
                    return;
                known = _book.Next(Now);
                if (known is null)
                    return;
                _dialling++;
                CountExpected();
            }

            _ = DialAsync(known.Endpoint);
        }
    }

    private async Task DialAsync(IPEndPoint endpoint)
    {
        await Task.Yield();
        var started = Now;
        ITransport? transport = null;
        using (var patience = new CancellationTokenSource(Context.Options.DialPatience, Context.Time))
        using (var either = CancellationTokenSource.CreateLinkedTokenSource(patience.Token, Stopping))
        {
            try
            {
                transport = await Context.Dialer.ConnectAsync(endpoint, either.Token);
            }
            catch (OperationCanceledException)
            {
                // As if nobody had answered.
            }
        }

        var now = Now;
        Peer? peer = null;
        lock (Gate)
        {
            _dialling--;
            if (transport is not null && !_closed)
            {
                peer = Join(transport, endpoint);
                peer.Pipeline.Trip(now - started);
            }
            else
            {
                _book.Left(endpoint, wasUseful: false, now);
            }

            CountExpected();
            if (_closed && _peers.Count == 0 && _dialling == 0)
                _empty.TrySetResult();
        }

        if (peer is not null)
        {
            Metrics.Dialled(now - started);
            Start(peer, default);
            return;
        }

        transport?.Dispose();
        Dial();
    }

    /// <summary>How many peers may soon be able to serve. Under the gate.</summary>
    private void CountExpected()
    {
        if (Scheduler is null)
            return;
        var expected = _dialling;
        foreach (var peer in _peers)
        {
            // One that still chokes us after a few seconds is not expected to stop.
            if (peer.ChokesUs && Now - peer.Joined < 3 * TimeSpan.TicksPerSecond)
                expected++;
        }

        Scheduler.Expected = expected;
    }

    private void Dropped(int piece) => ThreadPool.QueueUserWorkItem(
        static state =>
        {
            lock (state.Swarm.Gate)
                state.Swarm.NoteDropped(state.Piece);
            state.Swarm.Flush();
        },
        (Swarm: this, Piece: piece),
        preferLocal: false);

    /// <summary>A piece may be held no longer. Under the gate.</summary>
    private void NoteDropped(int piece)
    {
        if (Table is not { } table || !table.Have[piece] || Pieces!.Holds(piece))
            return;
        table.Dropped(piece);
        foreach (var reader in _readers)
            reader.Freed(piece);
        Scheduler!.RefillAll(Now);
    }
}
