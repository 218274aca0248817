using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Threading.Channels;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using NzbDav.Access.Options;
using NzbDav.Catalog.Database;
using JsonOptions = Microsoft.AspNetCore.Http.Json.JsonOptions;

namespace NzbDav.Api.Native.Events;

/// <summary>Collects events from the topics while pages listen, and for a minute after the last has gone, in case it returns. Each event is
/// built once for all pages. Thread-safe.</summary>
internal sealed partial class EventHub : IDisposable
{
    /// <summary>nginx closes a connection on which nothing was sent for 60 seconds.</summary>
    private static readonly TimeSpan PingEvery = TimeSpan.FromSeconds(15);

    private static readonly TimeSpan Grace = TimeSpan.FromMinutes(1);

    private readonly Lock _gate = new();
    private readonly IReadOnlyList<IEventTopic> _topics;
    private readonly JsonSerializerOptions _json;
    private readonly TimeProvider _time;
    private readonly ServerFacts _facts;
    private readonly ILogger<EventHub> _logger;
    private readonly CancellationToken _stopping;
    private readonly ITimer _idleTimer;
    private EventRun? _run;
    private CancellationTokenSource? _end;

    public EventHub(IEnumerable<IEventTopic> topics, IOptions<JsonOptions> json, TimeProvider time, ServerFacts facts,
        IHostApplicationLifetime lifetime, ILogger<EventHub> logger)
    {
        _topics = [.. topics];
        _json = json.Value.SerializerOptions;
        _time = time;
        _facts = facts;
        _logger = logger;
        _stopping = lifetime.ApplicationStopping;
        _idleTimer = time.CreateTimer(_ => EndIfUnused(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>All topics.</summary>
    public IReadOnlyList<IEventTopic> Topics => _topics;

    /// <inheritdoc cref="EventRun.Join"/>
    public EventPage Join(IReadOnlySet<string> topics, string? after)
    {
        lock (_gate)
        {
            if (_run is null)
                Begin();
            var hello = new HelloBody(_run!.Epoch, _facts.Version, _time.GetUtcNow());
            return _run.Join(topics, after, JsonSerializer.SerializeToUtf8Bytes(hello, _json.GetTypeInfo(typeof(HelloBody))));
        }
    }

    /// <summary>Removes a page that no longer listens.</summary>
    public void Remove(EventPage page)
    {
        lock (_gate)
        {
            _run?.Remove(page);
            if (_run?.Pages == 0)
                _idleTimer.Change(Grace, Timeout.InfiniteTimeSpan);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_gate)
            End();
        _idleTimer.Dispose();
    }

    private void Begin()
    {
        _run = new EventRun();
        _end = CancellationTokenSource.CreateLinkedTokenSource(_stopping);
        foreach (var topic in _topics)
            _ = PublishAsync(topic, _run, _end.Token);
        _ = PingAsync(_run, _end.Token);
    }

    private void EndIfUnused()
    {
        lock (_gate)
        {
            if (_run?.Pages == 0)
                End();
        }
    }

    private void End()
    {
        _end?.Cancel();
        _end?.Dispose();
        (_end, _run) = (null, null);
    }

    private async Task PingAsync(EventRun run, CancellationToken cancellationToken)
    {
        try
        {
            using var timer = new PeriodicTimer(PingEvery, _time);
            while (await timer.WaitForNextTickAsync(cancellationToken))
                run.Ping();
        }
        catch (OperationCanceledException)
        {
        }
    }

    private async Task PublishAsync(IEventTopic topic, EventRun run, CancellationToken cancellationToken)
    {
        // Bounded to one: several changes need only one update.
        var news = Channel.CreateBounded<bool>(new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite });
        topic.Begin();
        topic.Changed += OnChanged;
        try
        {
            // Yield first: the caller holds the lock.
            await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
            var waited = topic.Period;
            while (true)
            {
                // The wait after an event is part of the period. The first time, the topic is read at once.
                await WaitAsync(news.Reader, topic.Period - waited, cancellationToken);
                news.Reader.TryRead(out _);
                waited = topic.Pace;
                await PublishOnceAsync(topic, run, cancellationToken);
                await Task.Delay(topic.Pace, _time, cancellationToken);
            }
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
        }
        finally
        {
            topic.Changed -= OnChanged;
        }

        void OnChanged() => news.Writer.TryWrite(true);
    }

    /// <param name="news">Has an entry when something changed.</param>
    /// <param name="most">The longest wait; null: no limit.</param>
    /// <param name="cancellationToken">Fires when nobody listens any more.</param>
    private async Task WaitAsync(ChannelReader<bool> news, TimeSpan? most, CancellationToken cancellationToken)
    {
        if (most is not { } limit)
        {
            await news.WaitToReadAsync(cancellationToken);
            return;
        }

        if (limit <= TimeSpan.Zero)
            return;
        using var late = new CancellationTokenSource(limit, _time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(late.Token, cancellationToken);
        try
        {
            await news.WaitToReadAsync(either.Token);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
        }
    }

    private async Task PublishOnceAsync(IEventTopic topic, EventRun run, CancellationToken cancellationToken)
    {
        object? data;
        try
        {
            data = await topic.NextAsync(cancellationToken);
        }
        catch (Exception e) when (e is not OperationCanceledException || !cancellationToken.IsCancellationRequested)
        {
            // The event is lost.
            LogFailed(_logger, topic.Name, e is CatalogException ? null : e, e.Message);
            data = EventReset.Instance;
        }

        if (data is EventReset)
            run.Publish(topic.Name, EventFrame.Reset, isWhole: false, "{}"u8);
        else if (data is not null)
            run.Publish(
                topic.Name, topic.Name, topic.IsWhole, JsonSerializer.SerializeToUtf8Bytes(data, _json.GetTypeInfo(topic.DataType)));
    }

    [LoggerMessage(430, LogLevel.Warning, "An update of {Topic} was lost, so pages reload: {Reason}")]
    private static partial void LogFailed(ILogger logger, string topic, Exception? fault, string reason);
}

/// <summary>Data of the event "hello", which begins each stream.</summary>
/// <param name="Epoch">The first half of the ids of events; differs after a restart.</param>
/// <param name="Version">The server's version.</param>
/// <param name="Time">The server's clock.</param>
internal sealed record HelloBody(string Epoch, string Version, DateTimeOffset Time);

/// <summary>An event as sent over the wire, the same bytes for all pages.</summary>
/// <param name="Topic">The topic whose listeners get it; null: all pages.</param>
/// <param name="Sequence">Its number; 0 if it has no id.</param>
/// <param name="Bytes">The whole event, with the empty line at its end.</param>
internal sealed record EventFrame(string? Topic, long Sequence, byte[] Bytes)
{
    /// <summary>Events were lost: pages have to read their data again.</summary>
    public const string Reset = "reset";

    /// <param name="topic">The topic whose listeners get it; null: all pages.</param>
    /// <param name="name">Name of the event.</param>
    /// <param name="epoch">First half of the id.</param>
    /// <param name="sequence">Second half of the id; null: no id.</param>
    /// <param name="json">The data: one line.</param>
    public static EventFrame Of(string? topic, string name, string epoch, long? sequence, ReadOnlySpan<byte> json)
    {
        var head = Encoding.ASCII.GetBytes(sequence is { } number
            ? string.Create(CultureInfo.InvariantCulture, $"id: {epoch}-{number}\nevent: {name}\ndata: ") : $"event: {name}\ndata: ");
        return new EventFrame(topic, sequence ?? 0, [.. head, .. json, (byte)'\n', (byte)'\n']);
    }
}
