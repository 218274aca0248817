using System.Diagnostics.Metrics;
using NzbDav.Content;

namespace NzbDav.Torrents.Telemetry;

/// <summary>
/// Meter <c>NzbDav.Torrents</c>: the cost of each stage of the engine. Durations are histograms in seconds. Without a listener, an event
/// costs one branch. Thread-safe.
/// </summary>
public sealed class TorrentMetrics
{
    internal const string Name = "NzbDav.Torrents";

    private readonly Histogram<double> _dial;
    private readonly Histogram<double> _handshake;
    private readonly Histogram<double> _unchoke;
    private readonly Histogram<double> _block;
    private readonly Histogram<double> _blockFirstByte;
    private readonly Histogram<double> _blockQueue;
    private readonly Histogram<double> _pipelineUse;
    private readonly Histogram<double> _hashWait;
    private readonly Histogram<double> _hash;
    private readonly Histogram<double> _write;
    private readonly Histogram<double> _readerWait;
    private readonly Histogram<double> _firstByte;
    private readonly Counter<long> _evicted;
    private readonly Counter<long> _writeFailures;
    private readonly Counter<long> _passed;

    /// <param name="meters">Creates the meter; null if nobody listens.</param>
    public TorrentMetrics(IMeterFactory? meters)
        : this(Meters.Create(meters, Name))
    {
    }

    /// <param name="meter">The meter to which the instruments are added. Its owner disposes it.</param>
    internal TorrentMetrics(Meter meter)
    {
        Meter = meter;
        _dial = Seconds("dial", "From dialling a peer to the connection.");
        _handshake = Seconds("handshake", "From the connection to the peer's handshake.");
        _unchoke = Seconds("first_unchoke", "From the connection to the first unchoke.");
        _block = Seconds("block", "From requesting a block to its last byte.");
        _blockFirstByte = Seconds("block.first_byte", "From requesting a block to its first bytes.");
        _blockQueue = Seconds("block.queue", "Time of a block beyond its peer's shortest round trip, spent waiting behind others.");
        _pipelineUse = meter.CreateHistogram<double>(
            "nzbdav.torrents.pipeline.use", "1", "Blocks outstanding at a peer when some have arrived, as a share of the limit.");
        _hashWait = Seconds("hash.wait", "From a piece being complete to the start of its hash.");
        _hash = Seconds("hash", "Hashing a piece.");
        _write = Seconds("write", "Writing a piece.");
        _readerWait = Seconds("reader.wait", "A reader's wait for a piece.");
        _firstByte = Seconds("reader.first_byte", "From opening a reader to its first bytes.");
        _evicted = meter.CreateCounter<long>("nzbdav.torrents.evicted", "{piece}", "Pieces evicted from the disk to make room.");
        _writeFailures = meter.CreateCounter<long>("nzbdav.torrents.write_failures", "{failure}", "Pieces that could not be written.");
        _passed = meter.CreateCounter<long>("nzbdav.torrents.passed", "{piece}",
            "Pieces that were read but not written to disk, because it was too slow or they would soon have been evicted.");

        Histogram<double> Seconds(string name, string description) =>
            meter.CreateHistogram<double>("nzbdav.torrents." + name, "s", description);
    }

    internal Meter Meter { get; }

    internal void Dialled(long ticks) => Record(_dial, ticks);

    internal void HandshakeDone(long ticks) => Record(_handshake, ticks);

    internal void Unchoked(long ticks) => Record(_unchoke, ticks);

    internal bool WantsFirstBytes => _blockFirstByte.Enabled;

    internal void BlockFirstByte(long ticks) => Record(_blockFirstByte, ticks);

    internal void BlockReceived(long ticks, double roundTrip)
    {
        Record(_block, ticks);
        if (_blockQueue.Enabled)
            _blockQueue.Record(Math.Max(0, ((double)ticks / TimeSpan.TicksPerSecond) - roundTrip));
    }

    internal void PipelineUsed(int outstanding, int limit)
    {
        if (_pipelineUse.Enabled)
            _pipelineUse.Record((double)outstanding / Math.Max(1, limit));
    }

    internal void Hashed(long wait, long ticks)
    {
        Record(_hashWait, wait);
        Record(_hash, ticks);
    }

    internal void Written(long ticks) => Record(_write, ticks);

    internal void WriteFailed() => _writeFailures.Add(1);

    internal void Passed() => _passed.Add(1);

    internal void Evicted(int pieces) => _evicted.Add(pieces);

    internal void Waited(long ticks) => Record(_readerWait, ticks);

    internal void FirstByte(long ticks) => Record(_firstByte, ticks);

    private static void Record(Histogram<double> histogram, long ticks)
    {
        if (histogram.Enabled)
            histogram.Record((double)ticks / TimeSpan.TicksPerSecond);
    }
}
