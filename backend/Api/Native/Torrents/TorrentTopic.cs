using NzbDav.Api.Native.Events;

namespace NzbDav.Api.Native.Torrents;

/// <summary>Reports the torrents in their swarms: once a second while there are any, and once more when the last has gone.</summary>
internal sealed class TorrentTopic(TorrentList list) : IEventTopic
{
    private bool _wasActive;

    /// <summary>Never raised: reading once a second costs less.</summary>
    public event Action? Changed
    {
        add { }
        remove { }
    }

    public string Name => "torrents";

    public Type DataType => typeof(TorrentsBody);

    public bool IsWhole => true;

    /// <summary>Zero: the period alone spaces the events, and starts when this has passed.</summary>
    public TimeSpan Pace => TimeSpan.Zero;

    public TimeSpan? Period => TimeSpan.FromSeconds(1);

    public async ValueTask<object?> TakeAsync(CancellationToken cancellationToken)
    {
        var active = await list.ListActiveAsync(cancellationToken);
        if (active.Torrents.Count == 0 && !_wasActive)
            return null;
        _wasActive = active.Torrents.Count > 0;
        return active;
    }

    public void Begin() => _wasActive = true;
}
