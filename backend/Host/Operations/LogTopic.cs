using NzbDav.Access.Keys;
using NzbDav.Api.Native.Events;
using NzbDav.Host.Logging;

namespace NzbDav.Host.Operations;

/// <summary>Notifies pages of new lines in the log; only pages that name the topic. Thread-safe.</summary>
internal sealed class LogTopic : NewsTopic<LogEventBody>, IDisposable
{
    private readonly LogRing _ring;

    public LogTopic(LogRing ring)
        : base("log", TimeSpan.FromMilliseconds(500))
    {
        _ring = ring;
        ring.Added += OnAdded;
    }

    public override ApiRights Needs => ApiRights.Manage;

    public override bool IsUsual => false;

    public void Dispose() => _ring.Added -= OnAdded;

    protected override LogEventBody Look() => new(_ring.Last);

    private void OnAdded(long id) => Note();
}
