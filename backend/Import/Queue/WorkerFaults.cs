using System.Collections.Concurrent;
using System.Diagnostics.Metrics;

namespace NzbDav.Import.Queue;

/// <summary>Counts unexpected exceptions that escaped an import worker's turn, in total and by job. Thread-safe.</summary>
internal sealed class WorkerFaults
{
    /// <summary>A job that has caused this many exceptions is not tried again.</summary>
    internal const int Limit = 2;

    private readonly ConcurrentDictionary<long, (int Count, string Reason)> _jobs = new();
    private readonly Counter<long>? _counter;

    /// <param name="meters">Null: the faults are not published as a metric.</param>
    public WorkerFaults(IMeterFactory? meters) =>
        _counter = meters?.Create("NzbDav.Import")
            .CreateCounter<long>("nzbdav.import.worker_faults", "{fault}", "Unexpected exceptions that escaped an import worker.");

    /// <param name="job">The worker's job; null if it had none.</param>
    /// <param name="error">The exception.</param>
    /// <returns>How many exceptions the job has caused so far; 0 without a job.</returns>
    public int Add(long? job, Exception error)
    {
        _counter?.Add(1);
        return job is { } id ? _jobs.AddOrUpdate(id, (1, error.Message), (_, known) => (known.Count + 1, error.Message)).Count : 0;
    }

    /// <summary>Message of the last exception if the job must not be tried again; null if it may be.</summary>
    public string? FindRepeatedFault(long job) => _jobs.TryGetValue(job, out var known) && known.Count >= Limit ? known.Reason : null;

    /// <summary>True if the job has caused an exception.</summary>
    public bool Contains(long job) => _jobs.ContainsKey(job);

    /// <summary>Forgets a job that has ended: a later retry is counted from zero.</summary>
    public void Forget(long job) => _jobs.TryRemove(job, out _);
}
