using System.Diagnostics.Metrics;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Host.Telemetry;

/// <summary>Jobs by state as gauges. The values are those of the last <see cref="RefreshAsync"/>, because observing must not wait for the
/// database. Thread-safe.</summary>
internal sealed class CatalogGauges
{
    private static readonly (JobState State, string Label)[] Queue = [(JobState.Queued, "queued"), (JobState.Running, "running")];
    private static readonly (JobState State, string Label)[] History = [(JobState.Completed, "completed"), (JobState.Failed, "failed")];

    private readonly JobStore _jobs;
    private JobStatusCounts _counts = new(0, 0, 0, 0, 0, 0);

    public CatalogGauges(JobStore jobs, IMeterFactory meters)
    {
        _jobs = jobs;
        var meter = meters.Create("NzbDav.Catalog");
        meter.CreateObservableGauge("nzbdav.queue.jobs", () => Measure(Queue), "{job}", "Jobs in the queue.");
        meter.CreateObservableGauge("nzbdav.history.jobs", () => Measure(History), "{job}", "Jobs that ended, including archived ones.");
    }

    /// <summary>Counts again. Values that cannot be counted stay unchanged.</summary>
    public async Task RefreshAsync(CancellationToken cancellationToken)
    {
        try
        {
            var counts = await _jobs.List.CountAsync(new JobFilter(), cancellationToken);
            Volatile.Write(ref _counts, counts);
        }
        catch (CatalogException)
        {
            // The health page reports it.
        }
    }

    private IEnumerable<Measurement<long>> Measure((JobState State, string Label)[] states)
    {
        var counts = Volatile.Read(ref _counts);
        return states.Select(
            state => new Measurement<long>(counts.Of(state.State), new KeyValuePair<string, object?>("state", state.Label)));
    }
}
