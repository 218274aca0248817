using System.Diagnostics.Metrics;

namespace NzbDav.Usenet.Disk;

/// <summary>Measurements of the disk cache: meter <c>NzbDav.DiskCache</c>. Thread-safe.</summary>
internal sealed class DiskCacheMetrics
{
    private long _hits;
    private long _misses;
    private long _read;
    private long _written;
    private long _evicted;
    private long _dropped;
    private long _damaged;
    private long _late;

    /// <param name="meters">Null for no meter.</param>
    /// <param name="status">The state of the cache.</param>
    public DiskCacheMetrics(IMeterFactory? meters, Func<DiskCacheStatus> status)
    {
        if (meters is null)
            return;
        var meter = meters.Create("NzbDav.DiskCache");
        meter.CreateObservableCounter("nzbdav.disk_cache.hits", () => Hits, "{article}", "Articles read from the disk.");
        meter.CreateObservableCounter(
            "nzbdav.disk_cache.misses", () => Misses, "{article}", "Articles requested by readers and not on the disk.");
        meter.CreateObservableCounter("nzbdav.disk_cache.read_bytes", () => BytesRead, "By", "Bytes of articles read from the disk.");
        meter.CreateObservableCounter("nzbdav.disk_cache.written_bytes", () => BytesWritten, "By", "Bytes written to the disk.");
        meter.CreateObservableCounter("nzbdav.disk_cache.evicted_bytes", () => BytesEvicted, "By", "Bytes deleted to make room.");
        meter.CreateObservableCounter(
            "nzbdav.disk_cache.dropped", () => Dropped, "{article}", "Articles not kept because the disk was slower than the line.");
        meter.CreateObservableCounter(
            "nzbdav.disk_cache.damaged", () => Damaged, "{article}", "Articles on the disk that turned out to be damaged.");
        meter.CreateObservableCounter(
            "nzbdav.disk_cache.late", () => Late, "{article}", "Articles that a provider was asked for because the disk took too long.");
        meter.CreateObservableGauge("nzbdav.disk_cache.size", () => status().Size, "By", "Bytes on the disk.");
        meter.CreateObservableGauge("nzbdav.disk_cache.articles", () => status().Articles, "{article}", "Articles on the disk.");
        meter.CreateObservableGauge("nzbdav.disk_cache.index", () => status().IndexBytes, "By", "Memory of the index.");
    }

    public long Hits => Volatile.Read(ref _hits);

    public long Misses => Volatile.Read(ref _misses);

    public long BytesRead => Volatile.Read(ref _read);

    public long BytesWritten => Volatile.Read(ref _written);

    public long BytesEvicted => Volatile.Read(ref _evicted);

    public long Dropped => Volatile.Read(ref _dropped);

    public long Damaged => Volatile.Read(ref _damaged);

    public long Late => Volatile.Read(ref _late);

    public void Hit(int bytes)
    {
        Interlocked.Increment(ref _hits);
        Interlocked.Add(ref _read, bytes);
    }

    public void Miss() => Interlocked.Increment(ref _misses);

    public void CountWritten(long bytes) => Interlocked.Add(ref _written, bytes);

    public void Evict(long bytes) => Interlocked.Add(ref _evicted, bytes);

    public void Drop() => Interlocked.Increment(ref _dropped);

    public void Damage() => Interlocked.Increment(ref _damaged);

    public void CountLate() => Interlocked.Increment(ref _late);
}
