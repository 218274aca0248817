using NzbDav.Api.Native.Events;
using NzbDav.WebDav.Streams;

namespace NzbDav.Api.Native.Streams;

/// <summary>Reports the current readers: once a second while there are any, and once after the last has gone.</summary>
internal sealed class StreamsTopic : IEventTopic
{
    private readonly StreamList _list;

    public StreamsTopic(ActiveStreams streams, StreamList list)
    {
        _list = list;
        streams.Changed += () => Changed?.Invoke();
    }

    public event Action? Changed;

    public string Name => "streams";

    public Type DataType => typeof(StreamListBody);

    public bool IsWhole => true;

    public TimeSpan Pace => TimeSpan.FromMilliseconds(900);

    public async ValueTask<object?> TakeAsync(CancellationToken cancellationToken) => await _list.TakeAsync(cancellationToken);
}
