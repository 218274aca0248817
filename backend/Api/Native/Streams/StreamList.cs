using System.Globalization;
using NzbDav.Api.Native.Events;
using NzbDav.Catalog.Browsing;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Tree;
using NzbDav.Library.Posts;
using NzbDav.WebDav.Streams;

namespace NzbDav.Api.Native.Streams;

/// <summary>
/// Builds the bodies of streams, with the current paths of their files and a description of what they wait for. Thread-safe.
/// </summary>
internal sealed class StreamList(ActiveStreams streams, TreeStore tree, TreeBrowser browser, FileLayouts layouts)
{
    public async ValueTask<StreamListBody> ReadAsync(CancellationToken cancellationToken)
    {
        var list = streams.List();
        if (list.Count == 0)
            return new StreamListBody([]);
        var paths = await browser.PathsAsync([.. list.Select(stream => stream.Source.File).Distinct()], cancellationToken);
        var bodies = new List<StreamBody>(list.Count);
        foreach (var stream in list)
        {
            // A stable path, or that of a link, means nothing to people.
            var path = paths.TryGetValue(stream.Source.File, out var steps)
                ? "/" + string.Join('/', steps.Select(step => step.Name)) : stream.Source.Path;
            var name = stream.Source.Origin == StreamOrigin.Native || steps is null ? stream.Source.Name : steps[^1].Name;
            bodies.Add(BodyOf(stream, path, name, await WaitingForAsync(stream, cancellationToken)));
        }

        return new StreamListBody(bodies);
    }

    private static StreamBody BodyOf(StreamSnapshot stream, string path, string name, string? waitingFor) => new()
    {
        Id = stream.Id,
        ItemId = stream.Source.File.ToString(CultureInfo.InvariantCulture),
        Path = path,
        Name = name,
        Size = stream.Source.Size,
        Address = stream.Source.Address,
        Program = ClientPrograms.NameOf(stream.Source.UserAgent),
        UserAgent = stream.Source.UserAgent,
        User = stream.Source.User,
        Via = stream.Source.Origin switch
        {
            StreamOrigin.View => StreamVia.View,
            StreamOrigin.Native => StreamVia.Native,
            StreamOrigin.Mount => StreamVia.Mount,
            _ => StreamVia.Webdav
        },
        Begun = stream.StartedAt,
        State = stream.Activity switch
        {
            StreamActivity.Waiting => StreamState.Waiting,
            StreamActivity.Idle => StreamState.Idle,
            _ => StreamState.Streaming
        },
        Scan = stream.Scan switch { ScanSign.Fast => StreamScan.Fast, ScanSign.Steps => StreamScan.Steps, _ => null },
        Position = stream.Position,
        Sent = stream.Sent,
        Rate = stream.Rate,
        Ahead = stream.Reader.Ahead,
        FirstByteSeconds = stream.FirstByte?.TotalSeconds,
        Waits = stream.Waits,
        WaitSeconds = stream.Waited.TotalSeconds,
        LastWait = stream.LastWait is { } wait ? new StreamWaitBody(wait.At, wait.Waited.TotalSeconds,
            wait.Wait is { Segment: >= 0 and var segment } ? segment + 1 : null, wait.Wait?.Trace) : null,
        Filler = stream.Filler is { } filler ? new StreamFillerBody(filler.Bytes, filler.Segment + 1, filler.Reason) : null,
        WaitingFor = waitingFor,
        WaitingProvider = stream.Activity == StreamActivity.Waiting ? stream.Reader.Source : null,
        InFlight = stream.Reader.InFlight,
    };

    private async ValueTask<string?> WaitingForAsync(StreamSnapshot stream, CancellationToken cancellationToken)
    {
        if (stream.Activity != StreamActivity.Waiting)
            return null;
        if (stream.Reader.Piece >= 0)
            return string.Create(CultureInfo.InvariantCulture, $"piece {stream.Reader.Piece}");
        if (stream.Reader.Segment < 0 || stream.Source.Origin == StreamOrigin.Native)
            return null;
        try
        {
            return await tree.ResolveAsync(stream.Source.File, cancellationToken) is { } item
                ? (await layouts.ReadAsync(item, cancellationToken)).Describe(stream.Reader.Segment) : null;
        }
        catch (CatalogException)
        {
            return null;
        }
    }
}

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

    public async ValueTask<object?> NextAsync(CancellationToken cancellationToken) => await _list.ReadAsync(cancellationToken);
}
