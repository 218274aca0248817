using System.Diagnostics.Metrics;
using NzbDav.Content;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Providers;

/// <summary>
/// Measurements of fetching, stage by stage: meter <c>NzbDav.Usenet</c>, tagged with the provider's name. Durations are histograms in
/// seconds. Decoding is timed only while somebody listens. Thread-safe.
/// </summary>
internal sealed class UsenetMetrics
{
    private readonly Histogram<double> _queueWait;
    private readonly Histogram<double> _connect;
    private readonly Histogram<double> _firstByte;
    private readonly Histogram<double> _receive;
    private readonly Histogram<double> _decode;
    private readonly Histogram<int> _depth;
    private readonly Counter<long> _articles;
    private readonly Counter<long> _bytes;
    private readonly Counter<long> _hedges;
    private readonly Meter _meter;

    public UsenetMetrics(IMeterFactory? meters)
    {
        _meter = Meters.Create(meters, "NzbDav.Usenet");
        _queueWait = _meter.CreateHistogram<double>(
            "nzbdav.usenet.queue_wait", "s", "From a request being queued to its command being sent.");
        _connect = _meter.CreateHistogram<double>("nzbdav.usenet.connect", "s", "TCP, TLS, greeting and login of a connection.");
        _firstByte = _meter.CreateHistogram<double>(
            "nzbdav.usenet.first_byte", "s", "From a command being next in its pipe to the first byte of its answer.");
        _receive = _meter.CreateHistogram<double>(
            "nzbdav.usenet.receive", "s", "From the first to the last byte of an article, decoding left out.");
        _decode = _meter.CreateHistogram<double>("nzbdav.usenet.decode", "s", "Decoding and checking an article.");
        _depth = _meter.CreateHistogram<int>("nzbdav.usenet.pipeline_depth", "{request}", "Requests on a connection when one is added.");
        _articles = _meter.CreateCounter<long>("nzbdav.usenet.articles", "{article}", "Answers to BODY by outcome.");
        _bytes = _meter.CreateCounter<long>("nzbdav.usenet.article_bytes", "By", "Decoded bytes of intact articles.");
        _hedges = _meter.CreateCounter<long>("nzbdav.usenet.hedges", "{article}", "Late articles that were asked for a second time.");
    }

    public bool TimesDecoding => _decode.Enabled;

    public void Sent(string provider, TimeSpan queued, int depth)
    {
        _queueWait.Record(queued.TotalSeconds, Tag(provider));
        _depth.Record(depth, Tag(provider));
    }

    public void Connected(string provider, TimeSpan time) => _connect.Record(time.TotalSeconds, Tag(provider));

    public void FirstByte(string provider, TimeSpan time) => _firstByte.Record(time.TotalSeconds, Tag(provider));

    public void Received(string provider, TimeSpan receive, TimeSpan decode, int bytes)
    {
        _receive.Record(receive.TotalSeconds, Tag(provider));
        _decode.Record(decode.TotalSeconds, Tag(provider));
        _bytes.Add(bytes, Tag(provider));
    }

    public void Ended(string provider, AttemptOutcome outcome) =>
        _articles.Add(1, Tag(provider), new KeyValuePair<string, object?>("outcome", outcome switch
        {
            AttemptOutcome.Found => "found",
            AttemptOutcome.Missing => "missing",
            AttemptOutcome.Corrupt or AttemptOutcome.Foreign => "corrupt",
            AttemptOutcome.Mismatch => "mismatch",
            AttemptOutcome.Lost or AttemptOutcome.TimedOut => "lost",
            AttemptOutcome.Refused => "refused",
            AttemptOutcome.Superseded => "superseded",
            _ => "not_sent",
        }));

    public void Hedged() => _hedges.Add(1);

    /// <summary>Publishes the state of the providers as gauges. Called once.</summary>
    public void Observe(Func<IEnumerable<ProviderStatus>> providers, Func<int> queued)
    {
        _meter.CreateObservableGauge("nzbdav.usenet.queued", () => queued(), "{request}", "Requests that wait for a connection.");
        _meter.CreateObservableGauge(
            "nzbdav.usenet.connections", () => providers().Select(
                provider => new Measurement<int>(provider.OpenConnections, Tag(provider.Name))), "{connection}", "Open and logged in.");
        _meter.CreateObservableGauge(
            "nzbdav.usenet.connections_busy", () => providers().Select(provider =>
                new Measurement<int>(provider.BusyConnections, Tag(provider.Name))), "{connection}", "On which something is asked for.");
        _meter.CreateObservableGauge(
            "nzbdav.usenet.connections_max", () => providers().Select(provider =>
                new Measurement<int>(provider.MaxConnections, Tag(provider.Name))), "{connection}", "Most that the account allows.");
        _meter.CreateObservableGauge(
            "nzbdav.usenet.usable", () => providers().Select(provider => new Measurement<int>(
                provider.State == ProviderState.Ready ? 1 : 0, Tag(provider.Name))), "{provider}", "1 while a provider works.");
    }

    private static KeyValuePair<string, object?> Tag(string provider) => new("provider", provider);
}
