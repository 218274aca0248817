using NzbDav.Api.Native.Jobs;
using NzbDav.Api.Sab;
using NzbDav.Catalog;

namespace NzbDav.Api.Native.Events;

/// <summary>Jobs that came, went or got further.</summary>
internal sealed class JobsTopic : IEventTopic
{
    /// <summary>More at once, and pages read anew: they show no more rows.</summary>
    private const int Most = 200;

    private readonly ChangeSet _ids = new(Most);
    private readonly JobView _view;

    public JobsTopic(JobView view, JobStore jobs, QueueOrder order, UrlGrabs grabs, ProgressBoard board)
    {
        _view = view;
        jobs.Changed += change => Note(change.JobId);
        order.Moved += moved => Note([.. moved]);
        grabs.Changed += id => Note(id);
        board.Progressed += id => Note(id);
    }

    public event Action? Changed;

    public string Name => "jobs";

    public Type DataType => typeof(JobsEventBody);

    public bool IsWhole => false;

    public TimeSpan Pace => TimeSpan.FromMilliseconds(250);

    public void Begin() => _ids.Take();

    public async ValueTask<object?> TakeAsync(CancellationToken cancellationToken)
    {
        if (_ids.Take() is not { } ids)
            return EventReset.Instance;
        if (ids.Count == 0)
            return null;
        var there = await _view.GetAsync(ids, cancellationToken);
        var found = there.Select(job => job.Id).ToHashSet(StringComparer.Ordinal);
        return new JobsEventBody(there, [.. ids.Select(JobView.Text).Where(id => !found.Contains(id))], await _view.CountAsync(cancellationToken));
    }

    private void Note(params long[] ids)
    {
        _ids.Add(ids);
        Changed?.Invoke();
    }
}
