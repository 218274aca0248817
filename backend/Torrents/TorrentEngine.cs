using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using NzbDav.Content;
using NzbDav.Content.Rates;
using NzbDav.Torrents.Connections;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Discovery;
using NzbDav.Torrents.Discovery.Local;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Network;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Scheduling;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Storage;
using NzbDav.Torrents.Telemetry;
using NzbDav.Torrents.WebSeeds;
using NzbDav.Torrents.Wire;
using NzbDav.Torrents.Work;

namespace NzbDav.Torrents;

/// <summary>The swarm engine: opens torrents and shares memory, disk, threads and a port among them. Thread-safe.</summary>
public sealed partial class TorrentEngine : IAsyncDisposable
{
    private readonly ConcurrentDictionary<InfoHash, Torrent> _torrents = new();
    private readonly SwarmContext _context;
    private readonly PeerNetwork _network;
    private readonly PeerSearch _search;
    private readonly RateSchedule _rates;
    private readonly long[] _past = new long[5];
    private Torrent[] _open = [];
    private int _disposed;

    /// <summary>Starts the engine and listens for peers.</summary>
    /// <param name="options">Its settings; see <see cref="Apply"/>.</param>
    /// <param name="time">Drives all time-outs.</param>
    /// <param name="metrics">Receives measurements; may be null.</param>
    /// <param name="pool">Memory for pieces; null = a pool of its own, of size <see cref="TorrentOptions.Memory"/>. The engine's store
    /// becomes the reclaimer of its budget.</param>
    /// <param name="trackers">Creates an HTTP handler for trackers and web seeds that connects by the given function; the engine owns it.
    /// Called once per address family, once for both families, and once for web seeds. Null = handlers that connect wherever a .torrent
    /// says.</param>
    /// <param name="resolver">Resolves the host names of UDP trackers; null = the system's resolver.</param>
    /// <param name="notice">Receives messages for the user, such as the size of the blocklist; may be null.</param>
    /// <param name="rules">Which addresses may be connected to; null = all.</param>
    /// <exception cref="SocketException">The port cannot be listened on.</exception>
    public TorrentEngine(
        TorrentOptions options, TimeProvider time, TorrentMetrics? metrics = null, BufferPool? pool = null,
        Func<TrackerConnect, SocketsHttpHandler>? trackers = null, HostResolver? resolver = null, Action<string>? notice = null,
        OutboundRules? rules = null)
        : this(options, time, metrics, pool, dialer: null, new HashCheck(), trackers, resolver, notice: notice, rules: rules)
    {
    }

    internal TorrentEngine(
        TorrentOptions options,
        TimeProvider time,
        TorrentMetrics? metrics,
        BufferPool? pool,
        ITransportDialer? dialer,
        IPieceCheck check,
        Func<TrackerConnect, SocketsHttpHandler>? trackers = null,
        HostResolver? resolver = null,
        IDatagramChannel? datagrams = null,
        Func<ILocalChannel>? network = null,
        Action<string>? notice = null,
        Func<string, bool>? hasHoles = null,
        Func<string, long?>? free = null,
        OutboundRules? rules = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(time);
        metrics ??= new TorrentMetrics(meters: null);
        pool ??= new BufferPool(new BufferBudget(options.Memory));
        SwarmContext context = null!;
        _network = new PeerNetwork(() => context?.Options ?? options, time, dialer, addresses: null, Routed, Mapped, notice);
        var workers = new BackgroundWorkers(
            options.Workers > 0 ? options.Workers : Environment.ProcessorCount, "torrent-worker",
            fault => notice?.Invoke($"An internal error in the torrent engine. Please report it. {fault}"));
        var store = new PieceStore(pool.Budget, options.CacheFolder, options.CacheBytes, time, metrics, options.KeepFolder, hasHoles, free)
        {
            WatchedReserve = options.WatchedReserve,
        };
        pool.Budget.SetReclaimer(store);
        _context = context = new SwarmContext(
            time, pool, store, workers, _network.Dialer, check, metrics,
            new RateLimit(time) { BytesPerSecond = options.Rates.Upload }, PeerIds.Create())
        {
            Options = options,
            Connections = new ConnectionManager(() => BoundsOf(context.Options), time),
            Aliases = new TorrentAliases(_torrents.ContainsKey, _network.Opened, _network.Closed),
            DownloadLimit = new SharedAllowance(time),
            SavedPeers = options.CacheFolder is { } folder ? new SavedPeers(folder, time) : null,
            IsBlocked = _network.IsBlocked,
            Rules = rules ?? OutboundRules.None,
            ReachesByUtp = _network.ReachesByUtp,
            NetworkTrouble = () => _network.Trouble,
            Port = _network.Port,
            WebSeeds = new WebSeedClient(NewHandler(trackers, family: null), time),
            ExternalPort = () => _network.Mapping.TcpPort,
        };
        AddressFamily?[] families = [null, AddressFamily.InterNetwork, AddressFamily.InterNetworkV6];
        SocketsHttpHandler[] handlers = [.. families.Select(family => NewHandler(trackers, family))];
        var only = options.Listen?.Address is { } address && !address.Equals(IPAddress.Any) && !address.Equals(IPAddress.IPv6Any)
            ? address : null;
        _rates = new RateSchedule(time, () => context.Options, rates =>
        {
            context.UploadLimit.BytesPerSecond = rates.Upload;
            context.DownloadLimit.BytesPerSecond = rates.Download;
        });
        _rates.Update();
        _search = new PeerSearch(
            _context, datagrams ?? _network.Datagrams, handlers, () => _network.MayResolve, _network.Guard(resolver), _network.Guard(null),
            network ?? (() => new MulticastChannel(only)));
        Observe(metrics);
        _network.Blocked += Blocked;
        _network.Receive(AcceptPeer);
    }

    /// <summary>The port at which peers can reach us; 0 = none.</summary>
    public int Port => _context.Port;

    /// <summary>Memory for pieces.</summary>
    public BufferPool Pool => _context.Pool;

    /// <summary>Bytes of pieces on disk.</summary>
    public long CachedBytes => _context.Store.DiskBytes;

    /// <inheritdoc cref="PieceStore.ReservedBytes"/>
    internal long ReservedBytes => _context.Store.ReservedBytes;

    /// <summary>State of the distributed hash table.</summary>
    public DhtStatus Dht => _search.Dht.Status;

    /// <summary>Open torrents.</summary>
    public IEnumerable<Torrent> Torrents => _torrents.Values;

    /// <summary>Bytes of blocks received from and sent to peers, over the engine's life. Does not allocate.</summary>
    public (long Down, long Up) Payload
    {
        get
        {
            lock (_past)
            {
                var (down, up) = (_past[0], _past[3]);
                foreach (var torrent in _open)
                {
                    down += torrent.Swarm.Counters.Payload;
                    up += torrent.Swarm.Counters.Uploaded;
                }

                return (down, up);
            }
        }
    }

    /// <summary>
    /// Applies other options. <see cref="TorrentOptions.PortFile"/>, <see cref="TorrentOptions.CacheFolder"/>,
    /// <see cref="TorrentOptions.Workers"/> and the address of <see cref="TorrentOptions.Listen"/> are fixed for the engine's life. No
    /// reader is interrupted: lower limits free what no reader is using, surplus connections close within a second (the least useful
    /// first), and upload slots are reassigned in the next choke round.
    /// </summary>
    public void Apply(TorrentOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        _context.Options = options;
        _network.Apply();
        _rates.Update();
        _context.Pool.Budget.Limit = options.Memory;
        _context.Store.WatchedReserve = options.WatchedReserve;
        _context.Store.DiskLimit = options.CacheBytes;
        _context.Connections.Apply();
        _search.Apply(options);
    }

    /// <summary>The open torrent with this info-hash; null if there is none.</summary>
    public Torrent? Find(InfoHash hash) => _torrents.GetValueOrDefault(hash);

    /// <summary>Opens a .torrent. If it is already open, returns it unchanged.</summary>
    public Torrent Add(Metainfo metainfo)
    {
        ArgumentNullException.ThrowIfNull(metainfo);
        var torrent = Join(metainfo);
        torrent.Describe(metainfo.Info);
        return torrent;
    }

    /// <summary>Like <see cref="Add(Metainfo)"/>, but the caller must call <see cref="Torrent.Describe"/>, which reads a file.</summary>
    internal Torrent Join(Metainfo metainfo)
    {
        var info = metainfo.Info;
        var torrent = Add(info.Hash, info.Alias, info.Name, metainfo.Trackers, metainfo.Peers, metainfo.Nodes, info);
        torrent.Swarm.AddWebSeeds(metainfo.WebSeeds, isFromLink: false);
        return torrent;
    }

    /// <summary>Opens a magnet link. If its torrent is already open, returns it unchanged.</summary>
    public Torrent Add(MagnetLink link)
    {
        ArgumentNullException.ThrowIfNull(link);
        IReadOnlyList<Uri>[] tiers = [.. link.Trackers.Select(static uri => (IReadOnlyList<Uri>)[uri])];
        var torrent = Add(link.Hash, link.Alias, link.Name, tiers, link.Peers, nodes: [], info: null);
        torrent.Swarm.AddWebSeeds(link.WebSeeds, isFromLink: true);
        torrent.Start();
        if (link.Sources.Count > 0 && !torrent.Swarm.Described.IsCompleted)
            _ = _search.DescribeAsync(torrent.Swarm, link.Sources, torrent.Complete);
        return torrent;
    }

    /// <summary>Closes all torrents.</summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0)
            return;
        await _network.StopReceivingAsync();

        // Verified pieces must be written before the torrents release them.
        await Task.WhenAll(_torrents.Values.Select(static torrent => torrent.Swarm.DisposeAsync().AsTask()));
        _context.Workers.Dispose();
        _context.Store.Drain();

        // In parallel: each announces its stop to a tracker that may be slow.
        await Task.WhenAll(_torrents.Values.Select(static torrent => torrent.DisposeAsync().AsTask()));
        _context.Connections.Dispose();
        _rates.Dispose();
        _context.DownloadLimit.Dispose();
        _context.Store.Dispose();
        await _search.DisposeAsync();
        _context.WebSeeds?.Dispose();
        await _network.DisposeAsync();
    }

    private void Closed(Torrent torrent)
    {
        // Before it is removed, because a torrent opened with the same hash afterwards has the same alias.
        torrent.Swarm.ReleaseAlias();
        lock (_past)
        {
            if (!_torrents.TryRemove(new KeyValuePair<InfoHash, Torrent>(torrent.Hash, torrent)))
                return;
            _network.Closed(torrent.Hash);
            _open = [.. _open.Where(open => open != torrent)];
            foreach (var (kind, bytes) in Totals(torrent.Swarm.Counters).Index())
                _past[kind] += bytes;
        }
    }

    private Torrent Add(
        InfoHash hash, InfoHash? alias, string? name, IReadOnlyList<IReadOnlyList<Uri>> trackers, IReadOnlyList<EndPoint> peers,
        IReadOnlyList<EndPoint> nodes, TorrentInfo? info)
    {
        ObjectDisposedException.ThrowIf(_disposed != 0, this);
        if (_torrents.TryGetValue(hash, out var open))
            return open;
        var swarm = new Swarm(_context, hash);
        var finders = _search.Find(swarm, _trackers.GetValueOrDefault(hash, trackers), nodes, info is { IsPrivate: true });
        var torrent = new Torrent(swarm, finders, name, Closed);
        if (!_torrents.TryAdd(hash, torrent))
        {
            _ = torrent.DisposeAsync().AsTask();
            return _torrents.TryGetValue(hash, out open) ? open : Add(hash, alias, name, trackers, peers, nodes, info);
        }

        lock (_past)
        {
            // It may have been closed already.
            if (ReferenceEquals(Find(hash), torrent))
            {
                _open = [.. _open, torrent];
                _network.Opened(hash);
                swarm.Rename(alias);
            }
        }

        if (_webSeeds.TryGetValue(hash, out var seeds))
            swarm.UseWebSeeds(seeds);
        swarm.UploadLimit.BytesPerSecond = UploadLimitOf(hash) ?? 0;
        swarm.LimitDownload(DownloadLimitOf(hash) ?? 0);
        swarm.AddPeers(peers.OfType<IPEndPoint>(), PeerSources.Link);
        foreach (var host in peers.OfType<DnsEndPoint>().Where(_ => _network.MayResolve))
            _ = PeerSearch.AddAsync(swarm, host);
        // On another thread, because it reads a file and the caller may hold a lock.
        if (_context.SavedPeers is { } saved && info is not { IsPrivate: true })
            ThreadPool.QueueUserWorkItem(
                static state => state.swarm.AddSaved(state.saved.Load(state.swarm.Hash)), (swarm, saved), preferLocal: false);
        return torrent;
    }

    // Data that torrents have on disk.

    /// <summary>Closes a torrent if it is open, and removes all its data on disk.</summary>
    /// <exception cref="IOException">Some of its kept files could not be removed. <see cref="ListKept"/> still lists it.</exception>
    public async Task RemoveAsync(InfoHash hash)
    {
        try
        {
            if (_torrents.TryGetValue(hash, out var torrent))
                await torrent.DisposeAsync();
        }
        finally
        {
            // Its files are closed even if another part of it failed to close.
            _context.SavedPeers?.Delete(hash);
            _context.Store.Delete(hash);
        }
    }

    /// <summary>Torrents that have anything on disk, even if only saved peers; open or not.</summary>
    public IReadOnlyList<InfoHash> ListKept() => [.. _context.Store.ListOnDisk().Union(_context.SavedPeers?.List() ?? [])];

    /// <summary>True if a torrent has files in the folder for kept torrents, whether it is open or not.</summary>
    public bool IsKept(InfoHash hash) => _context.Store.IsKept(hash);

    /// <summary>
    /// Why the kept files of a torrent that is not open cannot be used: see <see cref="Torrent.Missing"/>. Null: they can. Checks all its
    /// files.
    /// </summary>
    public string? FindMissing(TorrentInfo info)
    {
        ArgumentNullException.ThrowIfNull(info);
        return _context.Store.FindMissing(info);
    }

    /// <summary>Free bytes on the disk where a torrent is kept, or would be; null: not known.</summary>
    public long? ReadFree(InfoHash hash) => _context.Store.ReadFree(hash);

    /// <summary>Bytes of each file of a kept torrent that it held when last open, without opening it: reads a small file. Null: nothing is
    /// kept of it, or not known.</summary>
    /// <param name="hash">The torrent.</param>
    /// <param name="files">All its files, padding included.</param>
    public IReadOnlyList<long>? ReadKept(InfoHash hash, IReadOnlyList<TorrentFile> files)
    {
        ArgumentNullException.ThrowIfNull(files);
        return _context.Store.ReadKept(hash, files);
    }

    // The engine's state, for display.

    /// <summary>The current state of its network.</summary>
    public NetworkStatus GetNetwork()
    {
        var options = _context.Options;
        var (downloaded, uploaded) = Payload;
        var (downRate, upRate) = (0.0, 0.0);
        foreach (var torrent in _torrents.Values)
        {
            var status = torrent.Swarm.Status.Last;
            downRate += status.DownRate;
            upRate += status.UpRate;
        }

        return _network.Describe() with
        {
            UsesDht = options.Dht,
            Dht = Dht,
            UsesExchange = options.PeerExchange,
            UsesLocal = PeerSearch.UsesLocal(options),
            Limits = UsesAlternativeRates ? options.AlternativeRates : options.Rates,
            IsAlternative = UsesAlternativeRates,
            Connections = _context.Connections.Connections,
            MostConnections = options.MostConnections,
            DownRate = downRate,
            UpRate = upRate,
            Downloaded = downloaded,
            Uploaded = uploaded,
        };
    }

    private void Observe(TorrentMetrics metrics)
    {
        var meter = metrics.Meter;
        meter.CreateObservableGauge("nzbdav.torrents.open", () => _torrents.Count, "{torrent}", "Torrents that are open.");
        meter.CreateObservableGauge(
            "nzbdav.torrents.peers", () => _torrents.Values.Sum(static torrent => torrent.Swarm.PeerCount), "{peer}", "Connected peers.");
        meter.CreateObservableGauge("nzbdav.torrents.cached", () => CachedBytes, "By", "Bytes of pieces on disk.");
        meter.CreateObservableGauge("nzbdav.torrents.buffered", () => Pool.Budget.Reserved, "By", "Bytes of memory for pieces in use.");
        meter.CreateObservableCounter("nzbdav.torrents.payload", () => Total(0), "By", "Bytes of blocks that were accepted.");
        meter.CreateObservableCounter(
            "nzbdav.torrents.duplicate", () => Total(1), "By", "Bytes of blocks that were received and not needed.");
        meter.CreateObservableCounter("nzbdav.torrents.failed", () => Total(2), "By", "Bytes of pieces whose hash was wrong.");
        meter.CreateObservableCounter("nzbdav.torrents.uploaded", () => Total(3), "By", "Bytes of blocks sent to peers.");
        meter.CreateObservableCounter("nzbdav.torrents.copied", () => Total(4), "By", "Bytes of blocks copied in memory on their way in.");
    }

    /// <summary>Bytes of one kind, over the engine's life.</summary>
    private long Total(int kind)
    {
        lock (_past)
            return _past[kind] + _torrents.Values.Sum(torrent => Totals(torrent.Swarm.Counters)[kind]);
    }

    private static long[] Totals(SwarmCounters bytes) =>
        [bytes.Payload, bytes.Duplicate + bytes.Discarded, bytes.Failed, bytes.Uploaded, bytes.Copied];

    // Reactions to changes in the network.

    /// <summary>State of the port mapping for <see cref="Port"/>.</summary>
    public PortMappingStatus PortMapping => _network.Mapping;

    /// <summary>A handler for HTTP whose connections go by the engine's route.</summary>
    private SocketsHttpHandler NewHandler(Func<TrackerConnect, SocketsHttpHandler>? create, AddressFamily? family)
    {
        var handler = create?.Invoke(_network.ConnectorOf(family)) ?? new SocketsHttpHandler();
        _network.Attach(handler, family);
        return handler;
    }

    /// <summary>Called when the blocklist has changed: closes connections to addresses that are now blocked.</summary>
    private void Blocked()
    {
        foreach (var torrent in _torrents.Values)
            torrent.Swarm.CloseBlocked();
    }

    /// <summary>Called when the route or our port has changed. If there is a route, all torrents dial and announce again.</summary>
    private void Routed()
    {
        if (_network.Trouble is not null)
            return;
        _context.Port = _network.Port;
        foreach (var torrent in _torrents.Values)
        {
            torrent.Swarm.PlaceFreed();
            torrent.Reannounce();
        }
    }

    /// <summary>Called when the router has opened a port. If its number differs from ours, all torrents announce again.</summary>
    private void Mapped()
    {
        if (_network.Mapping.TcpPort is 0 || _network.Mapping.TcpPort == _network.Port)
            return;
        foreach (var torrent in _torrents.Values)
            torrent.Reannounce();
    }

    private bool AcceptPeer(ITransport transport, in Handshake handshake, ReadOnlyMemory<byte> received)
    {
        if (!_torrents.TryGetValue(_context.Aliases.Find(handshake.Hash) ?? handshake.Hash, out var torrent))
            return false;
        torrent.Swarm.Accept(transport, received, byAlias: torrent.Hash != handshake.Hash);
        return true;
    }
}

/// <summary>Connects to the first address that answers, by the route that <see cref="TorrentOptions.Bind"/> allows.</summary>
/// <param name="addresses">Tried in order.</param>
/// <param name="port">1 … 65535.</param>
/// <param name="cancellationToken">Cancels the attempt.</param>
/// <exception cref="IOException">There is no route at the moment.</exception>
/// <exception cref="SocketException">None answers.</exception>
public delegate ValueTask<Socket> TrackerConnect(IReadOnlyList<IPAddress> addresses, int port, CancellationToken cancellationToken);
