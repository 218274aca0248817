using NzbDav.Api.Native.Jobs;
using NzbDav.Api.Sab.Adding;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Api.Native.Events;

/// <summary>Reports jobs that were added, removed or changed, and jobs whose retry is due.</summary>
internal sealed class JobsTopic : IEventTopic, IDisposable
{
    /// <summary>With more changes at once, pages read again: they show no more rows than this.</summary>
    private const int Most = 200;

    private readonly ChangeSet _ids = new(Most);
    private readonly JobView _view;
    private readonly JobList _list;
    private readonly TimeProvider _time;

    private readonly Lock _gate = new();
    private readonly ITimer _timer;

    /// <summary>Jobs whose retry became due after this time have not been reported yet.</summary>
    private DateTimeOffset _checkedUntil;

    /// <summary>When the timer fires; null: it is not running.</summary>
    private DateTimeOffset? _due;

    public JobsTopic(JobView view, JobList list, JobStore jobs, QueueOrder order, UrlGrabs grabs, ProgressBoard board, TimeProvider time)
    {
        _view = view;
        _list = list;
        _time = time;
        _timer = time.CreateTimer(_ => OnDue(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        jobs.Changed += change => Note(change.JobId);
        jobs.NoticesLost += () =>
        {
            _ids.AddAll();
            Changed?.Invoke();
        };
        order.Moved += moved => Note([.. moved]);
        grabs.Changed += id => Note(id);
        board.Progressed += id => Note(id);
    }

    public event Action? Changed;

    public string Name => "jobs";

    public Type DataType => typeof(JobsEventBody);

    public bool IsWhole => false;

    public TimeSpan Pace => TimeSpan.FromMilliseconds(250);

    public void Begin()
    {
        _ids.Drain();
        _checkedUntil = _time.GetUtcNow();
        _ = AwaitFirstAsync(_checkedUntil);
    }

    public async ValueTask<object?> NextAsync(CancellationToken cancellationToken)
    {
        var now = _time.GetUtcNow();
        var (due, next) = await _list.FindDueAsync(_checkedUntil, now, Most, cancellationToken);
        _checkedUntil = now;
        AwaitDue(next);
        _ids.Add([.. due]);
        if (_ids.Drain() is not { } ids)
            return EventReset.Instance;
        if (ids.Count == 0)
            return null;
        var there = await _view.GetAsync(ids, cancellationToken);
        var found = there.Select(job => job.Id).ToHashSet(StringComparer.Ordinal);
        return new JobsEventBody(
            there, [.. ids.Select(JobView.Text).Where(id => !found.Contains(id))], await _view.CountAsync(cancellationToken));
    }

    private void Note(params long[] ids)
    {
        _ids.Add(ids);
        Changed?.Invoke();
    }

    /// <inheritdoc/>
    public void Dispose() => _timer.Dispose();

    /// <summary>Sets the timer for jobs that are already waiting. If this fails, the next change makes up for it.</summary>
    private async Task AwaitFirstAsync(DateTimeOffset now)
    {
        try
        {
            AwaitDue((await _list.FindDueAsync(now, now, 0, CancellationToken.None)).Next);
        }
        catch (CatalogException)
        {
        }
    }

    /// <summary>Keeps the earliest time: firing too often does no harm.</summary>
    private void AwaitDue(DateTimeOffset? next)
    {
        lock (_gate)
        {
            if (next is not { } due || due >= _due)
                return;
            _due = due;
            var wait = due - _time.GetUtcNow();
            _timer.Change(wait > TimeSpan.Zero ? wait : TimeSpan.Zero, Timeout.InfiniteTimeSpan);
        }
    }

    private void OnDue()
    {
        lock (_gate)
            _due = null;
        Changed?.Invoke();
    }
}

/// <summary>Data of the event "jobs".</summary>
/// <param name="Changed">Jobs as they are now.</param>
/// <param name="Removed">Ids of jobs that no longer exist.</param>
/// <param name="Counts">Number of all jobs, by state.</param>
internal sealed record JobsEventBody(IReadOnlyList<JobBody> Changed, IReadOnlyList<string> Removed, JobCountsBody Counts);
