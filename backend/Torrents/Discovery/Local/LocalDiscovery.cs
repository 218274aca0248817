using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Discovery.Local;

/// <summary>
/// Local discovery (BEP 14) for all torrents of an engine: announces them in the local network and receives the announcements of others.
/// Each torrent is announced when it is added, but at most once a minute, and then every five minutes. Thread-safe. Its lock is not taken
/// under other locks, and no other lock is taken under it.
/// </summary>
internal sealed class LocalDiscovery : IAsyncDisposable
{
    /// <summary>Time between announcements, in ticks (BEP 14).</summary>
    private static readonly long Every = 5 * TimeSpan.TicksPerMinute;

    /// <summary>Shortest time between announcements of one torrent, in ticks, however often it is closed and opened (BEP 14).</summary>
    private static readonly long Least = TimeSpan.TicksPerMinute;

    /// <summary>Period of the timer. Torrents added within it are announced together.</summary>
    private static readonly TimeSpan TickInterval = TimeSpan.FromSeconds(1);

    /// <summary>
    /// Most datagrams per second. A library of a thousand torrents then takes about ten seconds, with a rate that no network notices.
    /// </summary>
    private const int MostDatagrams = 4;

    /// <summary>Most foreign datagrams handled per second. More would be a flood.</summary>
    private const int MaxReceivedPerSecond = 100;

    private readonly TimeProvider _time;
    private readonly Func<ILocalChannel> _open;
    private readonly Func<int> _port;
    private readonly string _cookie = RandomNumberGenerator.GetHexString(16, lowercase: true);
    private readonly Lock _gate = new();
    private readonly Dictionary<InfoHash, Entry> _entries = [];
    private ILocalChannel? _channel;
    private ITimer? _timer;
    private CancellationTokenSource? _stopping;
    private Task _receiving = Task.CompletedTask;
    private string? _trouble;
    private int _received;
    private bool _isClosed;

    /// <param name="time">Clock.</param>
    /// <param name="port">Port on which we listen for peers; 0 = none, and nothing is announced.</param>
    /// <param name="open">Opens the channel; may throw <see cref="SocketException"/>.</param>
    public LocalDiscovery(TimeProvider time, Func<int> port, Func<ILocalChannel> open)
    {
        _time = time;
        _port = port;
        _open = open;
    }

    /// <summary>Why local discovery does not work, for the user; null while it works.</summary>
    public string? Trouble => Volatile.Read(ref _trouble);

    /// <summary>Switches local discovery on or off.</summary>
    public void Switch(bool on)
    {
        ILocalChannel? closed = null;
        lock (_gate)
        {
            if (_isClosed || on == _channel is not null)
                return;
            if (on)
                Open();
            else
                closed = Close();
        }

        closed?.Dispose();
    }

    /// <summary>Starts announcing a torrent and accepting announcements of it.</summary>
    public void Add(ILocalTorrent torrent)
    {
        lock (_gate)
        {
            if (!_entries.TryGetValue(torrent.Hash, out var entry))
                _entries[torrent.Hash] = entry = new Entry();
            if (entry.Active is null || !torrent.IsAlias)
                entry.Active = torrent;
        }
    }

    /// <summary>Stops announcing a torrent and accepting announcements of it.</summary>
    public void Remove(ILocalTorrent torrent)
    {
        lock (_gate)
        {
            if (_entries.TryGetValue(torrent.Hash, out var entry) && entry.Active == torrent)
            {
                // Remembered for another minute, because of the time of its last announcement.
                entry.Active = null;
                entry.Next = Math.Min(entry.Next, entry.Last + Least);
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        ILocalChannel? closed;
        lock (_gate)
        {
            _isClosed = true;
            closed = Close();
        }

        closed?.Dispose();
        await _receiving;
    }

    private void Open()
    {
        try
        {
            _channel = _open();
        }
        catch (SocketException error)
        {
            Volatile.Write(ref _trouble, $"The local network cannot be asked: {error.Message}");
            return;
        }

        Volatile.Write(ref _trouble, null);
        _stopping = new CancellationTokenSource();
        _timer = _time.CreateTimer(static state => ((LocalDiscovery)state!).Announce(), this, TickInterval, TickInterval);
        _receiving = ReceiveAsync(_channel, _stopping.Token);
    }

    private ILocalChannel? Close()
    {
        var channel = _channel;
        _channel = null;
        _timer?.Dispose();
        _timer = null;
        _stopping?.Cancel();
        _stopping?.Dispose();
        _stopping = null;
        return channel;
    }

    /// <summary>Called once a second: announces the torrents that are due.</summary>
    private void Announce()
    {
        Volatile.Write(ref _received, 0);
        var now = _time.GetElapsedTime(0).Ticks;
        var port = _port();
        lock (_gate)
        {
            foreach (var (hash, _) in _entries.Where(pair => pair.Value.Active is null && pair.Value.Next <= now).ToArray())
                _entries.Remove(hash);
            if (_channel is null || port == 0)
                return;

            // Under the lock: a removed torrent must not be announced afterwards. Sending a datagram takes microseconds.
            var due = _entries.Where(pair => pair.Value is { Active.IsPrivate: false } entry && entry.Next <= now)
                .Take(MostDatagrams * LocalAnnouncement.MostHashes).ToArray();
            foreach (var chunk in due.Chunk(LocalAnnouncement.MostHashes))
            {
                foreach (var (_, entry) in chunk)
                    (entry.Last, entry.Next) = (now, now + Every);
                _channel.Send(new LocalAnnouncement(port, [.. chunk.Select(static pair => pair.Key)], _cookie));
            }
        }
    }

    private async Task ReceiveAsync(ILocalChannel channel, CancellationToken cancellationToken)
    {
        await Task.Yield();
        var buffer = new byte[LocalAnnouncement.MostBytes];
        try
        {
            while (true)
            {
                var (sender, length) = await channel.ReceiveAsync(buffer, cancellationToken);
                if (Interlocked.Increment(ref _received) <= MaxReceivedPerSecond)
                    HandleDatagram(sender, buffer.AsSpan(0, length));
            }
        }
        catch (Exception error) when (error is OperationCanceledException or ObjectDisposedException)
        {
            // Local discovery was switched off.
        }
    }

    private void HandleDatagram(IPEndPoint sender, ReadOnlySpan<byte> datagram)
    {
        if (LocalAnnouncement.Read(datagram) is not { } announcement || announcement.Cookie == _cookie)
            return;
        foreach (var hash in announcement.Hashes)
        {
            ILocalTorrent? torrent;
            lock (_gate)
                torrent = _entries.GetValueOrDefault(hash)?.Active;
            torrent?.Found(new IPEndPoint(sender.Address, announcement.Port));
        }
    }

    /// <summary>One torrent.</summary>
    private sealed class Entry
    {
        /// <summary>The torrent; null if it is closed and only the times are remembered.</summary>
        public ILocalTorrent? Active { get; set; }

        /// <summary>When it was last announced, in ticks.</summary>
        public long Last { get; set; } = long.MinValue / 2;

        /// <summary>When it is announced next, in ticks.</summary>
        public long Next { get; set; }
    }
}

/// <summary>Sends datagrams to all hosts in the local network and receives theirs.</summary>
internal interface ILocalChannel : IDisposable
{
    /// <summary>Sends the announcement to each group, in all networks. Skips networks that cannot be reached. One call at a time.</summary>
    void Send(LocalAnnouncement announcement);

    /// <summary>Waits for the next datagram.</summary>
    /// <param name="buffer">Receives the datagram.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>Its sender and its length.</returns>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    /// <exception cref="ObjectDisposedException">It was disposed.</exception>
    ValueTask<(IPEndPoint Sender, int Length)> ReceiveAsync(Memory<byte> buffer, CancellationToken cancellationToken);
}

/// <summary>A torrent as seen by <see cref="LocalDiscovery"/>. Thread-safe.</summary>
internal interface ILocalTorrent
{
    /// <summary>The torrent's info-hash or alias. Immutable.</summary>
    InfoHash Hash { get; }

    /// <summary>True for a torrent under its alias. A torrent with this hash as its info-hash takes precedence. Immutable.</summary>
    bool IsAlias { get; }

    /// <summary>
    /// True if the torrent is known to be private; it is then not announced. Called under the service's lock, so it must take no lock.
    /// </summary>
    bool IsPrivate { get; }

    /// <summary>Reports a peer in the local network that has the torrent. Called outside the service's lock.</summary>
    void Found(IPEndPoint peer);
}
