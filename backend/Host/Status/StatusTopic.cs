using NzbDav.Api.Native.Events;

namespace NzbDav.Host.Status;

/// <summary>Publishes the state of the server: once a second while something moves, otherwise every five seconds.</summary>
internal sealed class StatusTopic(StatusReporter status, SeriesRecorder series) : IEventTopic
{
    private volatile bool _moves;

    public event Action? Changed
    {
        add => series.Moved += value;
        remove => series.Moved -= value;
    }

    public string Name => "status";

    public Type DataType => typeof(StatusBody);

    public bool IsWhole => true;

    public TimeSpan Pace => TimeSpan.FromSeconds(0.5);

    /// <summary>Starts when the pace has passed.</summary>
    public TimeSpan? Period => TimeSpan.FromSeconds(_moves ? 0.5 : 4.5);

    public async ValueTask<object?> TakeAsync(CancellationToken cancellationToken)
    {
        var report = await status.ReportAsync(cancellationToken);
        _moves = series.Now.IsMoving || report.Jobs.Running > 0;
        return report;
    }
}
