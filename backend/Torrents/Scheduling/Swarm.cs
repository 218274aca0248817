using System.Net;
using NzbDav.Content.Rates;
using NzbDav.Torrents.Connections;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Storage;
using NzbDav.Torrents.Telemetry;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// The state machine of one torrent. All state changes under <see cref="Gate"/>, in short steps triggered by events: a message, a block, a
/// verified piece, a reader that moves. Sending, copying, hashing and file access happen outside it. Lock order: gate, then a slot's, the
/// store's, the pool's, the connection manager's, an outbox's.
/// </summary>
internal sealed partial class Swarm : IPeerOwner, IConnectionHolder, IAsyncDisposable
{
    [ThreadStatic]
    private static List<Peer>? _spare;

    private readonly CancellationTokenSource _stopping = new();
    private readonly TaskCompletionSource<TorrentInfo> _described = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _completed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Lock _saving = new();
    private readonly Lock _describing = new();
    private readonly TaskCompletionSource _empty = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Choker _choker = new();
    private readonly BlameLedger _blame = new();
    private readonly PeerMessages _messages;
    private readonly PeerExchange _exchange;
    private readonly PeerDialler _dialler;
    private readonly PieceEventQueue _pieceEvents;
    private readonly RequestAllowance _allowance;
    private readonly ITimer _timer;
    private readonly OrderedDictionary<int, IPEndPoint> _departed = [];
    private List<Peer> _dirty = [];
    private bool _urgentScheduled;
    private bool _refillScheduled;
    private bool _dialScheduled;
    private int _numbers;
    private long _lastRound;
    private long _lastKeepAlive;
    private long _lastSaved;
    private bool _background;
    private bool _wasWhole;

    /// <param name="context">What the engine's torrents share.</param>
    /// <param name="hash">The torrent.</param>
    public Swarm(SwarmContext context, InfoHash hash)
    {
        Context = context;
        Hash = hash;
        Readers = new SwarmReaders(this);
        Status = new StatusSampler(this, Now);
        WebSeeds = new SwarmWebSeeds(this);
        UploadLimit = new RateLimit(context.Time);
        _allowance = new RequestAllowance(context.Time, context.DownloadLimit, () => Readers.Urgency, Replenish, Yield);
        _dialler = new PeerDialler(this);
        _pieceEvents = new PieceEventQueue(this);
        _exchange = new PeerExchange(this);
        _messages = new PeerMessages(this, _exchange);
        Stopping = _stopping.Token;
        _lastRound = _lastKeepAlive = _lastSaved = Now;

        // Drives time-outs, redials and choke rounds. Nothing that moves data waits for it.
        _timer = context.Time.CreateTimer(static state => ((Swarm)state!).Tick(), this, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1));
    }

    /// <summary>What the engine's torrents share. Immutable.</summary>
    public SwarmContext Context { get; }

    /// <summary>The torrent. Immutable.</summary>
    public InfoHash Hash { get; }

    public Lock Gate { get; } = new();

    /// <summary>Needs no gate.</summary>
    public SwarmCounters Counters { get; } = new();

    /// <summary>Upload limit of this torrent; the engine's limit applies in addition.</summary>
    public RateLimit UploadLimit { get; }

    /// <inheritdoc/>
    public RateLimit SharedUploadLimit => Context.UploadLimit;

    /// <summary>Its live state, for display.</summary>
    public StatusSampler Status { get; }

    /// <summary>The readers and their windows.</summary>
    public SwarmReaders Readers { get; }

    /// <summary>Connected peers. Under the gate.</summary>
    public List<Peer> Peers { get; } = [];

    /// <summary>Known addresses. Under the gate.</summary>
    public PeerBook Book => _dialler.Book;

    /// <summary>True once it is being closed. Under the gate.</summary>
    public bool IsClosed { get; private set; }

    /// <summary>Needs no gate.</summary>
    public TorrentMetrics Metrics => Context.Metrics;

    /// <summary>Fires when the torrent is closed.</summary>
    public CancellationToken Stopping { get; }

    /// <summary>Completes with the torrent's info; cancelled if the torrent is closed before.</summary>
    public Task<TorrentInfo> Described => _described.Task;

    /// <summary>Completes when all pieces are held, if some were missing when the torrent was opened; otherwise never.</summary>
    public Task Completed => _completed.Task;

    /// <summary>Null until the torrent is described.</summary>
    public PieceTable? Table { get; private set; }

    /// <summary>Null until the torrent is described.</summary>
    public TorrentPieces? Pieces { get; private set; }

    /// <summary>Null until the torrent is described.</summary>
    public Picker? Picker { get; private set; }

    /// <summary>Ticks of 100 ns on the engine's clock.</summary>
    public long Now => Context.Time.GetElapsedTime(0).Ticks;

    /// <summary>The longest message that a peer may send: a bitfield or a piece of metadata.</summary>
    public int MostMessage =>
        Table is { } table ? Math.Max(BitField.Bytes(table.Info.PieceCount) + 1, 64 << 10) : (InfoReader.MostPieces / 8) + 1;

    /// <summary>Connected peers.</summary>
    public int PeerCount
    {
        get
        {
            lock (Gate)
                return Peers.Count;
        }
    }

    /// <summary>Why the last connection to a peer ended; null while none has.</summary>
    public string? LastDisconnectReason { get; private set; }

    /// <summary>Why the rest of the torrent is no longer fetched although it was wanted; null while it is fetched, or was not wanted. Under
    /// the gate.</summary>
    public string? BackgroundEnded { get; private set; }

    /// <summary>See <see cref="TorrentStatus.IsDiskFull"/>. Under the gate.</summary>
    public bool IsDiskFull { get; private set; }

    /// <summary>True when pieces are missing, or not known, and no peer is connected.</summary>
    public bool HasNoPeers
    {
        get
        {
            lock (Gate)
                return Peers.TrueForAll(static peer => peer.IsWebSeed) && Table is not { Have.IsFull: true };
        }
    }

    /// <summary>
    /// Supplies the torrent's info dictionary. Does nothing if it is already known; waits for a concurrent call. Reads a file, so the
    /// caller must hold no lock that others wait for.
    /// </summary>
    public void Describe(TorrentInfo info)
    {
        lock (_describing)
        {
            if (Table is not null)
                return;
            lock (Gate)
            {
                if (IsClosed)
                    return;
            }

            var pieces = Context.Store.Open(info, _pieceEvents);
            lock (Gate)
                Begin(info, pieces);
            Rename(info.Alias);
            pieces.BeginChecking(Context.Check, Stopping);
            _described.TrySetResult(info);
        }

        StartWebSeeds();
        Flush();
        _dialler.Dial();
    }

    private void Begin(TorrentInfo info, TorrentPieces pieces)
    {
        // Under the gate: the event of a piece that is dropped from now on is handled after this.
        var held = pieces.ListHeld();
        Pieces = pieces;
        _wasWhole = held.IsFull;
        if (info.IsPrivate)
            Restrict();
        Table = new PieceTable(info, held, Context.Pool, _pieceEvents) { IsHeldBack = () => pieces.IsDiskBehind };
        Picker = new Picker(Table, Peers, Readers.Windows, _allowance) { Background = _background };
        foreach (var peer in Peers)
        {
            if (peer.ApplyEarlyAnnouncements() is { } fault)
                peer.Connection.Close(fault);
        }

        foreach (var peer in Peers)
            _messages.SendHaves(peer);
        ScheduleRefill();
        RunScheduledWork(Now);
    }

    /// <summary>
    /// Call when the info dictionary cannot be used: fails <see cref="Described"/>. No peer can send a better one, because this one has the
    /// torrent's hash.
    /// </summary>
    public void CannotDescribe(string? why) => _described.TrySetException(new InvalidDataException(why));

    /// <inheritdoc/>
    void IPeerOwner.AddDirty(Peer peer) => _dirty.Add(peer);

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
                peer.BeginFlush();
        }

        foreach (var peer in dirty)
            peer.Outbox.Flush();
        dirty.Clear();
        _spare = dirty;
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        Peer[] peers;
        lock (Gate)
        {
            if (IsClosed)
                return;
            IsClosed = true;
            peers = [.. Peers];
            EndIfEmpty();
        }

        // Wait for a Describe in progress: it opens the pieces, which must be closed with the torrent.
        lock (_describing)
        {
        }

        await _stopping.CancelAsync();
        await _timer.DisposeAsync();
        _allowance.Dispose();
        _described.TrySetCanceled(CancellationToken.None);
        foreach (var peer in peers)
            peer.Connection.Dispose();
        await _empty.Task;
        Context.Connections.Remove(this);
        lock (Gate)
        {
            Readers.Fail();
            if (Table is { } table)
            {
                // Slots being hashed are released once the hash is known.
                foreach (var slot in table.Open.Where(static slot => !slot.IsVerifying).ToArray())
                    table.Close(slot).Release();
            }
        }

        _stopping.Dispose();
    }

    // Download scope and limits: only what readers need or all of the torrent, and at which rate.

    /// <summary>Fetches all of the torrent, or only what readers need.</summary>
    public void SetBackground(bool background)
    {
        lock (Gate)
        {
            _background = background;
            _pieceEvents.Begin();
            BackgroundEnded = null;
            IsDiskFull = false;
            if (Picker is null)
                return;
            Picker.Background = background;
            DeclareInterest();
            Picker.RefillAll(Now);
        }

        Flush();
    }

    /// <summary>
    /// Stops fetching the rest of the torrent: more pieces would only evict earlier ones, or be lost when memory is short. Under the gate.
    /// </summary>
    /// <param name="reason">Shown to the user.</param>
    /// <param name="isFull">True if fetching could continue with more room on the disk.</param>
    public void EndBackground(string reason, bool isFull)
    {
        if (!_background)
            return;
        _background = false;
        BackgroundEnded = reason;
        IsDiskFull = isFull;
        if (Picker is not null)
            Picker.Background = false;
    }

    /// <summary>Limits the torrent's download. Readers are limited too, but the blocks they wait for go first.</summary>
    /// <param name="bytesPerSecond">0: no limit.</param>
    public void LimitDownload(long bytesPerSecond)
    {
        lock (Gate)
        {
            _allowance.BytesPerSecond = bytesPerSecond;
            RequestMore();
        }

        Flush();
    }

    /// <summary>Sets which pieces are fetched in the background, and in which order. Null: all, the rarest first.</summary>
    public void Select(FetchOrder? order)
    {
        lock (Gate)
        {
            if (Table is not { } table || IsClosed)
                return;
            table.Ranks = order?.Ranks(table.Info);
            table.LeavesOut = order is { EdgesOnly: false };
            table.IsSequential = order is { IsSequential: true };
            DeclareInterest();
            Picker!.RefillAll(Now);
        }

        Flush();
    }

    /// <summary>Called when more may be requested after a refusal.</summary>
    private void Replenish()
    {
        lock (Gate)
        {
            _allowance.OnWoken();
            RequestMore();
        }

        Flush();
    }

    /// <summary>Called when a reader waits in some torrent.</summary>
    private void Yield()
    {
        lock (Gate)
        {
            if (IsClosed || Picker is null)
                return;
            Picker.Yield(Now);
        }

        Flush();
    }

    private void RequestMore()
    {
        if (IsClosed || Picker is null)
            return;
        Readers.RequestUrgentForWaiting();
        Picker.RefillAll(Now);
    }

    // Web seeds (BEP 19).

    /// <summary>The web seeds. Under the gate.</summary>
    public SwarmWebSeeds WebSeeds { get; }

    /// <summary>Adds web seeds, and connects to them if there is room.</summary>
    /// <param name="addresses">HTTP and HTTPS servers.</param>
    /// <param name="isFromLink">True if a magnet link names them.</param>
    public void AddWebSeeds(IReadOnlyList<Uri> addresses, bool isFromLink)
    {
        if (addresses.Count == 0)
            return;
        lock (Gate)
            WebSeeds.Add(addresses, isFromLink);
        StartWebSeeds();
    }

    /// <summary>Replaces all web seeds by those that the user named. Seeds on both lists continue; requests to removed ones end.</summary>
    public void UseWebSeeds(IReadOnlyList<Uri> addresses)
    {
        lock (Gate)
            WebSeeds.Use(addresses);
        StartWebSeeds();
    }

    /// <summary>Lets web seeds that are ready join. Outside the gate.</summary>
    private void StartWebSeeds()
    {
        IReadOnlyList<Peer> joined;
        lock (Gate)
            joined = WebSeeds.Join(Now);
        foreach (var peer in joined)
            Start(peer, default);
    }
}
