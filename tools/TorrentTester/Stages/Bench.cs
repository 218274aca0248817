using System.Diagnostics;
using System.Net;
using NzbDav.Content;
using NzbDav.Torrents;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Wire.Encryption;
using NzbDav.TorrentTester.Findings;
using NzbDav.TorrentTester.Processes;

namespace NzbDav.TorrentTester.Stages;

/// <summary>
/// An engine on an empty folder with every source of peers, one torrent in it, and measurements of what reading it costs this process.
/// </summary>
internal sealed class Bench : IAsyncDisposable
{
    private static readonly TimeSpan WritePatience = TimeSpan.FromSeconds(30);

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("nzbdav-torrents-");
    private readonly Stopwatch _watch = new();
    private TimeSpan _cpu;
    private TimeSpan _kernel;
    private long _allocated;

    /// <param name="cacheBytes">Size of the disk cache in bytes.</param>
    /// <param name="check">Checks pieces; null = by hash.</param>
    /// <param name="encryption">Encryption of connections to peers.</param>
    /// <param name="router">Address and port of the node by which the DHT is entered; null = <see cref="LocalDht"/>.</param>
    public Bench(long cacheBytes, IPieceCheck? check = null, EncryptionPolicy encryption = EncryptionPolicy.Prefer, string? router = null)
    {
        var options = new TorrentOptions
        {
            CacheFolder = _folder.FullName,
            CacheBytes = cacheBytes,
            Encryption = encryption,
            Listen = new IPEndPoint(IPAddress.Loopback, 0),
            Dht = true,
            DhtBootstrap = [router ?? LocalDht.Address],
            LocalDiscovery = true,
        };
        Engine = new TorrentEngine(options, TimeProvider.System, metrics: null, pool: null, dialer: null, check ?? new HashCheck());
    }

    public TorrentEngine Engine { get; }

    public TimeSpan Elapsed => _watch.Elapsed;

    /// <summary>Opens the torrent of a swarm.</summary>
    public Torrent Add(SwarmProcess swarm)
    {
        var torrent = Engine.Add(swarm.Metainfo);
        torrent.AddPeers(swarm.Peers);
        return torrent;
    }

    public void Begin()
    {
        GC.Collect();
        var used = Environment.CpuUsage;
        (_cpu, _kernel) = (used.TotalTime, used.PrivilegedTime);
        _allocated = GC.GetTotalAllocatedBytes();
        _watch.Restart();
    }

    /// <summary>Completes when this many bytes are in the file on disk.</summary>
    public async Task WrittenAsync(long bytes, CancellationToken cancellationToken)
    {
        for (var watch = Stopwatch.StartNew(); Engine.CachedBytes < bytes;)
        {
            if (watch.Elapsed > WritePatience)
                throw new TimeoutException($"Only {Engine.CachedBytes} of {bytes} bytes were written.");
            await Task.Delay(1, cancellationToken);
        }
    }

    /// <summary>Reports the cost of reading this many bytes since <see cref="Begin"/>.</summary>
    /// <param name="stage">Name of the stage.</param>
    /// <param name="bytes">Number of bytes read.</param>
    /// <param name="torrent">The torrent that was read.</param>
    /// <param name="checking">The cost of comparing, which is subtracted; null = nothing was compared.</param>
    /// <param name="add">Receives the figures.</param>
    public void Report(string stage, long bytes, Torrent torrent, ByteCheck? checking, Action<Figure> add)
    {
        var seconds = _watch.Elapsed.TotalSeconds;
        var used = Environment.CpuUsage;
        var cpu = (used.TotalTime - _cpu - (checking?.Spent ?? TimeSpan.Zero)).TotalSeconds;

        // The piece buffers themselves are allocated once per engine.
        var allocated = GC.GetTotalAllocatedBytes() - _allocated - Engine.Pool.IdleBytes - Engine.Pool.Budget.Reserved;
        add(new Figure(stage, "rate", bytes / seconds / 1e6, "MB/s"));
        add(new Figure(stage, "cpu", cpu / bytes * (1 << 30), "s/GiB"));
        add(new Figure(stage, "cpu in the kernel", (used.PrivilegedTime - _kernel).TotalSeconds / bytes * (1 << 30), "s/GiB"));
        add(new Figure(stage, "allocated per block", (double)allocated / (bytes / 16_384.0), "B"));
        var counters = torrent.GetStatus().Bytes;
        add(new Figure(
            stage, "duplicate + discarded", 100.0 * (counters.Duplicate + counters.Discarded) / Math.Max(1, counters.Payload), "%"));
    }

    /// <summary>Reads and discards a range; returns the number of bytes read.</summary>
    public static async Task<long> DrainAsync(
        IContent content, long start, long end, ReadIntent intent, CancellationToken cancellationToken)
    {
        await using var reader = content.OpenReader(start, end, intent);
        while (true)
        {
            using var lease = await reader.NextAsync(cancellationToken);
            if (lease.IsEmpty)
                return reader.Position - start;
        }
    }

    /// <summary>Reads a range and compares it.</summary>
    public static async Task CompareAsync(IContent content, ByteCheck check, long start, long end, CancellationToken cancellationToken)
    {
        await using var reader = content.OpenReader(start, end, ReadIntent.Playback);
        while (true)
        {
            var at = reader.Position;
            using var lease = await reader.NextAsync(cancellationToken);
            if (lease.IsEmpty && at == end)
                return;
            if (lease.IsEmpty)
                throw new InvalidDataException($"The content ended at {at}.");
            check.Verify(at, lease.Memory.Span);
        }
    }

    /// <summary>Reads the first bytes of a file and compares them.</summary>
    /// <param name="content">The file.</param>
    /// <param name="check">Compares the bytes.</param>
    /// <param name="bytes">Number of bytes.</param>
    /// <param name="watch">A running stopwatch, started when the measurement began.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The stopwatch's time at the first byte.</returns>
    public static async Task<TimeSpan> BeginAsync(
        IContent content, ByteCheck check, long bytes, Stopwatch watch, CancellationToken cancellationToken)
    {
        await using var reader = content.OpenReader(0, bytes, ReadIntent.Playback);
        TimeSpan? first = null;
        while (true)
        {
            var at = reader.Position;
            using var lease = await reader.NextAsync(cancellationToken);
            if (lease.IsEmpty)
                return at == bytes && first is { } elapsed ? elapsed : throw new InvalidDataException($"The content ended at {at}.");
            first ??= watch.Elapsed;
            check.Verify(at, lease.Memory.Span);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await Engine.DisposeAsync();
        _folder.Delete(recursive: true);
    }
}
