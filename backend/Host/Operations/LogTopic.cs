using NzbDav.Access;
using NzbDav.Api.Native.Events;
using NzbDav.Host.Logging;

namespace NzbDav.Host.Operations;

/// <summary>Tells pages that ask for it of new lines in the log. Thread-safe.</summary>
internal sealed class LogTopic : IEventTopic, IDisposable
{
    private readonly LogRing _ring;
    private long _told;

    public LogTopic(LogRing ring)
    {
        _ring = ring;
        ring.Added += OnAdded;
    }

    public event Action? Changed;

    public string Name => "log";

    public Type DataType => typeof(LogEventBody);

    public ApiRights Needs => ApiRights.Manage;

    public bool IsUsual => false;

    public bool IsWhole => true;

    public TimeSpan Pace => TimeSpan.FromMilliseconds(500);

    public ValueTask<object?> TakeAsync(CancellationToken cancellationToken)
    {
        var last = _ring.Last;
        return ValueTask.FromResult<object?>(Interlocked.Exchange(ref _told, last) == last ? null : new LogEventBody(last));
    }

    public void Begin() => Volatile.Write(ref _told, _ring.Last);

    public void Dispose() => _ring.Added -= OnAdded;

    private void OnAdded(long id) => Changed?.Invoke();
}
