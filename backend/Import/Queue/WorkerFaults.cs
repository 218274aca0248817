using System.Collections.Concurrent;
using System.Diagnostics.Metrics;

namespace NzbDav.Import;

/// <summary>Counts exceptions that escaped a worker, altogether and by job. Thread-safe.</summary>
internal sealed class WorkerFaults
{
    /// <summary>A job that ended its worker this often is not tried again.</summary>
    internal const int Limit = 2;

    private readonly ConcurrentDictionary<long, (int Count, string Reason)> _jobs = new();
    private readonly Counter<long>? _counter;

    /// <param name="meters">Null: the faults are not published as a metric.</param>
    public WorkerFaults(IMeterFactory? meters) =>
        _counter = meters?.Create("NzbDav.Import").CreateCounter<long>("nzbdav.import.worker_faults", "{fault}", "Unexpected exceptions that escaped an import worker.");

    /// <param name="job">The job that the worker had; null if it had none.</param>
    /// <param name="error">What escaped.</param>
    /// <returns>How often the job ended its worker; 0 without a job.</returns>
    public int Add(long? job, Exception error)
    {
        _counter?.Add(1);
        return job is { } id ? _jobs.AddOrUpdate(id, (1, error.Message), (_, known) => (known.Count + 1, error.Message)).Count : 0;
    }

    /// <summary>Why the job must not be tried again; null if it may be.</summary>
    public string? Condemned(long job) => _jobs.TryGetValue(job, out var known) && known.Count >= Limit ? known.Reason : null;

    /// <summary>True if the job ended a worker.</summary>
    public bool Contains(long job) => _jobs.ContainsKey(job);

    /// <summary>The job has ended: if somebody retries it, it is counted anew.</summary>
    public void Forget(long job) => _jobs.TryRemove(job, out _);
}
