using System.Reflection;
using System.Text.Json;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using NzbDav.Catalog;
using JsonOptions = Microsoft.AspNetCore.Http.Json.JsonOptions;

namespace NzbDav.Api.Native.Events;

/// <summary>Asks the topics for news while pages listen, and for a minute after the last has gone: it may come back. Each event is made once, however many listen. Thread-safe.</summary>
internal sealed partial class EventHub : IDisposable
{
    /// <summary>nginx ends what is silent for 60 seconds.</summary>
    private static readonly TimeSpan PingEvery = TimeSpan.FromSeconds(15);

    private static readonly TimeSpan Grace = TimeSpan.FromMinutes(1);

    private readonly Lock _gate = new();
    private readonly IReadOnlyList<IEventTopic> _topics;
    private readonly JsonSerializerOptions _json;
    private readonly TimeProvider _time;
    private readonly ILogger<EventHub> _logger;
    private readonly CancellationToken _stopping;
    private readonly ITimer _rest;
    private EventRun? _run;
    private CancellationTokenSource? _end;

    public EventHub(IEnumerable<IEventTopic> topics, IOptions<JsonOptions> json, TimeProvider time, IHostApplicationLifetime lifetime, ILogger<EventHub> logger)
    {
        _topics = [.. topics];
        _json = json.Value.SerializerOptions;
        _time = time;
        _logger = logger;
        _stopping = lifetime.ApplicationStopping;
        _rest = time.CreateTimer(_ => EndIfDeserted(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>All topics.</summary>
    public IReadOnlyList<IEventTopic> Topics => _topics;

    /// <summary>The version of the server.</summary>
    public static string Version { get; } = typeof(EventHub).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0] ?? "";

    /// <inheritdoc cref="EventRun.Join"/>
    public EventPage Join(IReadOnlySet<string> topics, string? after)
    {
        lock (_gate)
        {
            if (_run is null)
                Begin();
            var hello = new HelloBody(_run!.Epoch, Version, _time.GetUtcNow());
            return _run.Join(topics, after, JsonSerializer.SerializeToUtf8Bytes(hello, _json.GetTypeInfo(typeof(HelloBody))));
        }
    }

    /// <summary>The page has gone.</summary>
    public void Leave(EventPage page)
    {
        lock (_gate)
        {
            _run?.Leave(page);
            if (_run?.Pages == 0)
                _rest.Change(Grace, Timeout.InfiniteTimeSpan);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_gate)
            End();
        _rest.Dispose();
    }

    private void Begin()
    {
        _run = new EventRun();
        _end = CancellationTokenSource.CreateLinkedTokenSource(_stopping);
        foreach (var topic in _topics)
            _ = TellAsync(topic, _run, _end.Token);
        _ = PingAsync(_run, _end.Token);
    }

    private void EndIfDeserted()
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

    private async Task TellAsync(IEventTopic topic, EventRun run, CancellationToken cancellationToken)
    {
        using var news = new SemaphoreSlim(0, 1);
        var gate = new Lock();
        topic.Begin();
        topic.Changed += OnChanged;
        try
        {
            // What follows runs elsewhere: whoever let it begin holds the lock.
            await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
            while (true)
            {
                await WaitAsync(news, topic.Period, cancellationToken);
                await TellOnceAsync(topic, run, cancellationToken);
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

        void OnChanged()
        {
            lock (gate)
            {
                if (news.CurrentCount == 0)
                    news.Release();
            }
        }
    }

    private async Task WaitAsync(SemaphoreSlim news, TimeSpan? period, CancellationToken cancellationToken)
    {
        if (period is not { } most)
        {
            await news.WaitAsync(cancellationToken);
            return;
        }

        using var late = new CancellationTokenSource(most, _time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(late.Token, cancellationToken);
        try
        {
            await news.WaitAsync(either.Token);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
        }
    }

    private async Task TellOnceAsync(IEventTopic topic, EventRun run, CancellationToken cancellationToken)
    {
        object? data;
        try
        {
            data = await topic.TakeAsync(cancellationToken);
        }
        catch (Exception e) when (e is not OperationCanceledException || !cancellationToken.IsCancellationRequested)
        {
            // What was to be told is lost.
            LogFailed(_logger, topic.Name, e is CatalogException ? null : e, e.Message);
            data = EventReset.Instance;
        }

        if (data is EventReset)
            run.Publish(topic.Name, EventFrame.Reset, isWhole: false, "{}"u8);
        else if (data is not null)
            run.Publish(topic.Name, topic.Name, topic.IsWhole, JsonSerializer.SerializeToUtf8Bytes(data, _json.GetTypeInfo(topic.DataType)));
    }

    [LoggerMessage(430, LogLevel.Warning, "News of {Topic} are lost, pages read anew: {Reason}")]
    private static partial void LogFailed(ILogger logger, string topic, Exception? fault, string reason);
}
