using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Discovery.Local;

/// <summary>
/// Local discovery (BEP 14) for all torrents of an engine: announces them to the local network and hears what others announce. Each torrent when it is added, at most once a minute, and every five minutes
/// from then on. Thread-safe. Its lock is taken under no other, and takes none.
/// </summary>
internal sealed class LocalDiscovery : IAsyncDisposable
{
    /// <summary>BEP 14: every five minutes.</summary>
    private static readonly long Every = 5 * TimeSpan.TicksPerMinute;

    /// <summary>BEP 14: no torrent more than once a minute, however often it is closed and opened.</summary>
    private static readonly long Least = TimeSpan.TicksPerMinute;

    /// <summary>Torrents that are added together are announced together.</summary>
    private static readonly TimeSpan Look = TimeSpan.FromSeconds(1);

    /// <summary>Datagrams in one look: a library of a thousand torrents takes ten seconds, and nobody's network notices.</summary>
    private const int MostDatagrams = 4;

    /// <summary>Datagrams of others that are taken in a second; the rest of the second is somebody's flood.</summary>
    private const int MostHeard = 100;

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
    private int _heard;
    private bool _isClosed;

    /// <param name="time">Clock.</param>
    /// <param name="port">Where we listen for peers; 0 = nowhere, and nothing is announced.</param>
    /// <param name="open">Opens the way to the network; may throw <see cref="SocketException"/>.</param>
    public LocalDiscovery(TimeProvider time, Func<int> port, Func<ILocalChannel> open)
    {
        _time = time;
        _port = port;
        _open = open;
    }

    /// <summary>Why it does not work; null while it does.</summary>
    public string? Trouble => Volatile.Read(ref _trouble);

    /// <summary>Takes part from here on, or no longer.</summary>
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

    /// <summary>A torrent is announced and listened for from here on.</summary>
    public void Add(LocalFinder finder)
    {
        lock (_gate)
        {
            if (!_entries.TryGetValue(finder.Hash, out var entry))
                _entries[finder.Hash] = entry = new Entry();
            entry.Finder = finder;
        }
    }

    /// <summary>A torrent is neither announced nor listened for any more.</summary>
    public void Remove(LocalFinder finder)
    {
        lock (_gate)
        {
            if (_entries.TryGetValue(finder.Hash, out var entry) && entry.Finder == finder)
            {
                // Its time stays for a minute.
                entry.Finder = null;
                entry.Next = Math.Min(entry.Next, entry.Last + Least);
            }
        }
    }

    /// <inheritdoc/>
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
        _timer = _time.CreateTimer(static state => ((LocalDiscovery)state!).Announce(), this, Look, Look);
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

    /// <summary>Once a second.</summary>
    private void Announce()
    {
        Volatile.Write(ref _heard, 0);
        var now = _time.GetElapsedTime(0).Ticks;
        var port = _port();
        lock (_gate)
        {
            foreach (var (hash, _) in _entries.Where(pair => pair.Value.Finder is null && pair.Value.Next <= now).ToArray())
                _entries.Remove(hash);
            if (_channel is null || port == 0)
                return;

            // Under the lock: one that was removed is not announced after that. A datagram is sent in microseconds.
            var due = _entries.Where(pair => pair.Value is { Finder.IsPrivate: false } entry && entry.Next <= now).Take(MostDatagrams * LocalAnnouncement.MostHashes).ToArray();
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
                if (Interlocked.Increment(ref _heard) <= MostHeard)
                    Hear(sender, buffer.AsSpan(0, length));
            }
        }
        catch (Exception error) when (error is OperationCanceledException or ObjectDisposedException)
        {
            // It is switched off.
        }
    }

    private void Hear(IPEndPoint sender, ReadOnlySpan<byte> datagram)
    {
        if (LocalAnnouncement.Read(datagram) is not { } announcement || announcement.Cookie == _cookie)
            return;
        foreach (var hash in announcement.Hashes)
        {
            LocalFinder? finder;
            lock (_gate)
                finder = _entries.GetValueOrDefault(hash)?.Finder;
            finder?.Found(new IPEndPoint(sender.Address, announcement.Port));
        }
    }

    /// <summary>One torrent.</summary>
    private sealed class Entry
    {
        /// <summary>Null: it is closed, and only its time is remembered.</summary>
        public LocalFinder? Finder { get; set; }

        /// <summary>Ticks when it was announced last.</summary>
        public long Last { get; set; } = long.MinValue / 2;

        /// <summary>Ticks when it is announced next.</summary>
        public long Next { get; set; }
    }
}
