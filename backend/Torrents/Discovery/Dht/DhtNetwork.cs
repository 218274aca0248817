using System.Net;
using System.Net.Sockets;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>
/// Our node in the DHT (BEP 5, 32, 42, 43). Starts with the first search. Works under one lock, in short steps triggered by datagrams and a
/// timer; callbacks run outside the lock. Thread-safe.
/// </summary>
internal sealed partial class DhtNetwork : IDhtPorts, IDisposable
{
    /// <summary>Most nodes read from one answer. A correct answer has eight.</summary>
    private const int MostNodes = 20;

    private readonly Lock _gate = new();
    private readonly IDatagramChannel _channel;
    private readonly TimeProvider _time;
    private readonly Func<DhtSettings> _settings;
    private readonly int _tcpPort;
    private readonly DhtFamily[] _families;
    private readonly DhtRouters _routers;
    private readonly DhtQueries _queries;
    private readonly DhtResponder _responder;
    private readonly CancellationTokenSource _stopping = new();
    private readonly IDisposable _registration;
    private readonly ITimer _timer;
    private List<Action> _calls = [];
    private TaskCompletionSource _enabled = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private bool _isRunning;
    private bool _isDisposed;
    private int _disposed;

    /// <param name="channel">Sends and receives; not owned.</param>
    /// <param name="time">Clock and timer.</param>
    /// <param name="settings">Read at each use.</param>
    /// <param name="tcpPort">Port at which peers can reach us; 0 = none, in which case the node is read-only (BEP 43).</param>
    /// <param name="resolver">Resolves the routers' names. Throws the exceptions of a <c>HostResolver</c>.</param>
    public DhtNetwork(IDatagramChannel channel, TimeProvider time, Func<DhtSettings> settings, int tcpPort,
        Func<string, CancellationToken, ValueTask<IReadOnlyList<IPAddress>>> resolver)
    {
        _channel = channel;
        _time = time;
        _settings = settings;
        _tcpPort = tcpPort;
        var state = DhtState.Load(StatePath);
        _families =
        [
            new DhtFamily(AddressFamily.InterNetwork, state.Id ?? NodeId.Random()) { Saved = state.Nodes },
            new DhtFamily(AddressFamily.InterNetworkV6, state.Id6 ?? NodeId.Random()) { Saved = state.Nodes6 },
        ];
        _routers = new DhtRouters(channel, settings, resolver);
        _queries = new DhtQueries(channel, readOnly: tcpPort == 0);
        _responder = new DhtResponder(channel, _families[0], _families[1]);
        _registration = channel.Register(Handle);
        _timer = time.CreateTimer(static self => ((DhtNetwork)self!).Tick(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public DhtStatus Status
    {
        get
        {
            lock (_gate)
                return new DhtStatus(IsActive, Array.Exists(_families, static family => family.IsBootstrapped), _families[0].Table.Count,
                    _families[1].Table.Count);
        }
    }

    /// <summary>Why no node can be reached, for the user; null if nodes can be reached, as far as is known.</summary>
    public string? Trouble => _channel.Trouble;

    /// <summary>True if the DHT is switched on.</summary>
    public bool IsEnabled => _settings().IsEnabled;

    /// <summary>Completes when the DHT is switched on.</summary>
    public Task WhenEnabledAsync()
    {
        lock (_gate)
            return IsEnabled ? Task.CompletedTask : _enabled.Task;
    }

    /// <summary>Applies changed options.</summary>
    public void Apply()
    {
        lock (_gate)
        {
            if (!IsEnabled)
                return;
            _enabled.TrySetResult();
            _enabled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        }
    }

    /// <summary>True while the routers' names are being resolved.</summary>
    internal bool IsResolving
    {
        get
        {
            lock (_gate)
                return _routers.IsResolving;
        }
    }

    private bool IsActive => _isRunning && !_isDisposed && IsEnabled;

    /// <summary>Port announced to peers: the router's external port if known, otherwise ours.</summary>
    private int AnnouncedPort => _tcpPort != 0 && _settings().ExternalPort is > 0 and var external ? external : _tcpPort;

    private long Now => _time.GetElapsedTime(0).Ticks;

    private string? StatePath => _settings().Folder is { } folder ? Path.Combine(folder, "dht.dat") : null;

    public int PortOf(AddressFamily family) => IsEnabled && _tcpPort != 0 ? _channel.PortOf(family) : 0;

    /// <summary>Reports peers that are announced to our own node: in a small network no other node may know them.</summary>
    /// <param name="torrent">The torrent's id in the DHT.</param>
    /// <param name="found">Receives the peers, on any thread.</param>
    public void Watch(NodeId torrent, Action<IReadOnlyList<IPEndPoint>> found)
    {
        lock (_gate)
            _responder.Watch(torrent, found);
    }

    /// <summary>Ends <see cref="Watch"/>, because the torrent was closed or is private.</summary>
    public void Unwatch(NodeId torrent, Action<IReadOnlyList<IPEndPoint>> found)
    {
        lock (_gate)
            _responder.Unwatch(torrent, found);
    }

    /// <summary>Handles a peer's message with its DHT port: pings the node.</summary>
    public void AddNode(IPEndPoint node)
    {
        // On another thread, because the caller holds the lock of the peer's torrent, under which callbacks must not run.
        ThreadPool.QueueUserWorkItem(
            static state => state.Self.AddNode(new DatagramAddress(state.node)), (Self: this, node), preferLocal: false);
    }

    private void AddNode(DatagramAddress node) => Run(() =>
    {
        if (IsActive && node.IsUsable && FamilyOf(node) is { } family && _queries.Count < MostPending && !family.Table.Knows(node))
            Ping(family, node);
    });

    /// <summary>Saves the nodes and stops answering.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0)
            return;
        _registration.Dispose();
        _timer.Dispose();
        _stopping.Cancel();
        Run(() =>
        {
            foreach (var family in _families)
                family.Lookups.ToList().ForEach(lookup => End(lookup, announces: false));
            _isDisposed = true;
        });
        if (_isRunning)
            Save();
        _stopping.Dispose();
    }

    /// <summary>Runs a step under the lock, then its callbacks outside the lock.</summary>
    private void Run(Action step)
    {
        List<Action> calls;
        lock (_gate)
        {
            step();
            if (_calls.Count == 0)
                return;
            calls = _calls;
            _calls = [];
        }

        foreach (var call in calls)
            call();
    }

    private DhtFamily? FamilyOf(DatagramAddress address) => Array.Find(_families, family => family.Family == address.Family);

    private bool IsReachable(DhtFamily family) => _channel.CanReach(family.Family);

    private void Start()
    {
        if (_isRunning)
            return;
        _isRunning = true;
        foreach (var family in _families)
            family.NextBootstrap = Now;
        Maintain(Now);
        _timer.Change(TickWhileWaiting, Timeout.InfiniteTimeSpan);
    }

    private void Begin(DhtLookup lookup)
    {
        var family = lookup.Family;
        family.Lookups.Add(lookup);
        foreach (var contact in family.Table.Closest(lookup.Target, RoutingTable.BucketSize))
            lookup.Add(contact.Address, contact.Id);
        if (family.Table.Count < RoutingTable.BucketSize)
            Seed(lookup);
        Step(lookup);
    }

    /// <summary>Adds saved nodes and the routers to a search, because few nodes are known.</summary>
    private void Seed(DhtLookup lookup)
    {
        foreach (var contact in lookup.Family.Saved.OrderBy(contact => contact.Id.To(lookup.Target)).Take(MostSeeds))
            lookup.Add(contact.Address, contact.Id);
        _routers.Seed(lookup);
    }

    private void Step(DhtLookup lookup)
    {
        while (!lookup.HasEnded && lookup.Next() is { } candidate)
        {
            lookup.MarkQueried(candidate);
            var query = new DhtQuery(lookup.Kind, lookup.Target) { WantsBoth = _families.All(IsReachable) };
            if (candidate.Name is { } name)
                _queries.Send(lookup.Family, name, query, Now, lookup, candidate);
            else
                _queries.Send(lookup.Family, candidate.Address, query, Now, lookup, candidate);
            AwaitAnswers();
        }

        // Routers may still answer: their names are being resolved.
        if (!lookup.HasEnded && lookup.IsDone && !(lookup.Answers == 0 && _routers.IsResolving))
            End(lookup, announces: true);
    }

    /// <summary>Ends a search, unless it has already ended.</summary>
    /// <param name="lookup">The search.</param>
    /// <param name="announces">True if the search is complete. A cancelled search announces nothing: its torrent was closed, or turned out
    /// to be private (BEP 27).</param>
    private void End(DhtLookup lookup, bool announces)
    {
        if (lookup.HasEnded)
            return;
        lookup.HasEnded = true;
        lookup.Family.Lookups.Remove(lookup);
        if (announces && lookup.AnnouncedPort != 0 && lookup.Kind == DhtQueryKind.GetPeers && IsActive)
        {
            foreach (var node in lookup.Announceable())
                Send(lookup.Family, node.Address,
                    new DhtQuery(DhtQueryKind.AnnouncePeer, lookup.Target) { Token = node.Token, Port = lookup.AnnouncedPort });
        }

        if (lookup.Finished is { } finished)
            _calls.Add(() => finished(lookup.Answers));
    }

    private void Ping(DhtFamily family, DatagramAddress node) => Send(family, node, new DhtQuery(DhtQueryKind.Ping, default));

    /// <summary>Sends a query that is not part of a search.</summary>
    private void Send(DhtFamily family, DatagramAddress to, in DhtQuery query)
    {
        _queries.Send(family, to, query, Now);
        AwaitAnswers();
    }

    private void AwaitAnswers()
    {
        if (_queries.Count == 1)
            _timer.Change(TickWhileWaiting, Timeout.InfiniteTimeSpan);
    }

    // Received datagrams: answers to our queries, and other nodes' queries.

    private bool Handle(DatagramAddress from, ReadOnlySpan<byte> datagram)
    {
        if (!DhtMessage.TryRead(datagram, out var message))
            return false;
        List<Action> calls;
        lock (_gate)
        {
            if (IsActive && message.Kind != (byte)'q')
                HandleAnswer(from, message);
            else if (IsActive && FamilyOf(from) is { } family)
                HandleQuery(family, from, message);

            calls = _calls;
            if (calls.Count > 0)
                _calls = [];
        }

        foreach (var call in calls)
            call();
        return true;
    }

    private void HandleAnswer(DatagramAddress from, in DhtMessage message)
    {
        var now = Now;
        if (_queries.Remove(from, message.Transaction, now) is not { } pending)
            return;
        var (family, lookup) = (pending.Family, pending.Lookup);
        if (message.Kind == (byte)'e' || message.Id is not { } id)
        {
            lookup?.Failed(pending.Candidate!);
        }
        else
        {
            if (pending.Name is { } name)
                _routers.Resolved(name, from);
            else
                family.Vote(from, message.OurAddress, now);
            if (pending.Name is null && !_routers.Contains(from))
                family.Table.Answered(new DhtContact(id, from), now);
            if (lookup is not null)
                AddResults(lookup, pending.Candidate!, from, message);
        }

        if (lookup is not null)
            Step(lookup);
    }

    private void AddResults(DhtLookup lookup, DhtCandidate candidate, DatagramAddress from, in DhtMessage message)
    {
        lookup.Answered(candidate, message.Token.Length is > 0 and <= 64 ? message.Token.ToArray() : null);
        Learn(4, message.Nodes);
        Learn(16, message.Nodes6);
        if (lookup.HasEnded || lookup.Found is not { } found || message.Values is not { } values)
            return;
        var peers = lookup.AddPeers(values.Where(peer => peer.IsUsable && (!peer.IsLocal || from.IsLocal)));
        if (peers.Count > 0)
            _calls.Add(() => found(peers));

        void Learn(int addressBytes, ReadOnlySpan<byte> nodes)
        {
            foreach (var contact in DhtContact.Read(nodes, addressBytes, MostNodes))
            {
                // A remote node must not direct us into a private network.
                if (contact.Address.IsLocal && !from.IsLocal)
                    continue;
                if (contact.Address.Family == lookup.Family.Family)
                    lookup.Add(contact.Address, contact.Id);
                else if (FamilyOf(contact.Address) is { } other && IsReachable(other))
                    other.Lookups.Find(beside => beside.Target == lookup.Target)?.Add(contact.Address, contact.Id);
            }
        }
    }

    private void HandleQuery(DhtFamily family, DatagramAddress from, in DhtMessage message)
    {
        var now = Now;
        if (_tcpPort == 0 || _responder.Answer(family, from, message, now, _calls) is not { } id)
            return;

        // A node that sends queries may also answer ours. It is added to the table once it has answered one.
        if (!message.IsReadOnly && id != family.Table.Own && family.Table.Count < MostPending && _queries.Count < MostPending
            && !family.Table.Knows(from))
            Ping(family, from);
    }

    // Searches for the peers of torrents.

    /// <inheritdoc cref="SearchAsync(NodeId, IReadOnlyList{EndPoint}, Action{IReadOnlyList{IPEndPoint}}, CancellationToken)"/>
    public Task<int> SearchAsync(NodeId torrent, Action<IReadOnlyList<IPEndPoint>> found, CancellationToken cancellationToken) =>
        SearchAsync(torrent, [], found, cancellationToken);

    /// <summary>
    /// Searches for the peers of a torrent and then announces us to the nodes closest to it. Completes with the number of nodes that
    /// answered, or at once with 0 while the DHT is switched off.
    /// </summary>
    /// <param name="torrent">The torrent's id in the DHT.</param>
    /// <param name="nodes">Nodes listed in the .torrent; asked first while few others are known.</param>
    /// <param name="found">Receives new peers as they arrive, on any thread.</param>
    /// <param name="cancellationToken">Cancels the search, which then announces nothing.</param>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public async Task<int> SearchAsync(
        NodeId torrent, IReadOnlyList<EndPoint> nodes, Action<IReadOnlyList<IPEndPoint>> found, CancellationToken cancellationToken)
    {
        await _channel.WhenKnownAsync().WaitAsync(cancellationToken);
        var starts = nodes.Count > 0 && HasFewNodes() ? await _routers.ResolveAsync(nodes, cancellationToken) : [];
        var lookups = new List<DhtLookup>();
        var answers = new List<Task<int>>();
        Run(() =>
        {
            if (_isDisposed || !IsEnabled)
                return;
            Start();
            foreach (var family in _families.Where(IsReachable))
            {
                var ended = new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously);
                var lookup = new DhtLookup(family, DhtQueryKind.GetPeers, torrent)
                { AnnouncedPort = AnnouncedPort, Found = found, Finished = count => ended.TrySetResult(count) };
                lookups.Add(lookup);
                answers.Add(ended.Task);
                Add(lookup, starts);
                Begin(lookup);
            }
        });
        try
        {
            return (await Task.WhenAll(answers).WaitAsync(cancellationToken)).Sum();
        }
        finally
        {
            Run(() => lookups.ForEach(lookup => End(lookup, announces: false)));
        }
    }

    private bool HasFewNodes()
    {
        lock (_gate)
            return IsEnabled && _families.Any(family => IsReachable(family) && family.Table.Count < RoutingTable.BucketSize);
    }

    private static void Add(DhtLookup lookup, IReadOnlyList<EndPoint> nodes)
    {
        foreach (var node in nodes)
        {
            if (node is DnsEndPoint name)
                lookup.Add(name);
            else if (new DatagramAddress((IPEndPoint)node) is { IsUsable: true } address && address.Family == lookup.Family.Family)
                lookup.Add(address, id: null);
        }
    }
}

/// <summary>Settings of our node. Immutable.</summary>
/// <param name="IsEnabled">True if the DHT is switched on.</param>
/// <param name="Bootstrap">Nodes through which to enter the network, as <c>host:port</c>; none = the public routers.</param>
/// <param name="Folder">Folder of the node's saved state; null = nothing is saved.</param>
/// <param name="ExternalPort">The internet router's external port that is mapped to ours; 0 = none.</param>
internal sealed record DhtSettings(bool IsEnabled, IReadOnlyList<string> Bootstrap, string? Folder, int ExternalPort = 0);
