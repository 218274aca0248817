using System.Collections.Concurrent;
using NzbDav.Host.Health;

namespace NzbDav.Host.Serving;

/// <summary>
/// Tracks the requests in progress. Once the server is told to stop, new requests that only read are refused. Requests that change
/// something are still served, because a proxy may not repeat them. Requests in progress have <see cref="Limit"/> to end by themselves;
/// then their connections are aborted. Thread-safe.
/// </summary>
/// <param name="hasOthers">
/// True if other gateways may answer instead: a refusal closes the connection without an answer, and any proxy then asks the next gateway.
/// A 503 would not do: a gateway also sends it while its database or provider is away, and a proxy must not give up on the gateway then.
/// False: a refusal is a 503.
/// </param>
/// <param name="lifetime">Says when the server is told to stop.</param>
/// <param name="time">Clock of the limit.</param>
internal sealed class Drain(bool hasOthers, IHostApplicationLifetime lifetime, TimeProvider time) : IHostedLifecycleService
{
    /// <summary>Time for requests to end by themselves. A film would take hours anyway.</summary>
    public static readonly TimeSpan Limit = TimeSpan.FromSeconds(3);

    private readonly ConcurrentDictionary<HttpContext, bool> _active = new();
    private readonly TaskCompletionSource _empty = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private volatile bool _stopping;

    /// <summary>True from the moment the server is told to stop, by a signal or by its host.</summary>
    public bool IsStopping => _stopping || lifetime.ApplicationStopping.IsCancellationRequested;

    /// <summary>
    /// Runs a request or refuses it. The connection of a request that arrives after the stop began is closed after the answer.
    /// </summary>
    public async Task RunAsync(HttpContext http, RequestDelegate next)
    {
        // Register first: either the stop sees this request, or this request sees the stop.
        _active[http] = true;
        try
        {
            if (!IsStopping)
            {
                await next(http);
                return;
            }

            http.Response.Headers.Connection = "close";
            if (!OnlyReads(http.Request.Method))
                await next(http);
            else if (hasOthers && !http.Request.Path.StartsWithSegments("/health", StringComparison.OrdinalIgnoreCase))
                http.Abort();
            else
                await RefuseAsync(http);
        }
        finally
        {
            _active.TryRemove(http, out _);
            if (IsStopping && _active.IsEmpty)
                _empty.TrySetResult();
        }
    }

    /// <summary>Waits for requests in progress while the server still listens, so that new requests get an answer.</summary>
    public async Task StoppingAsync(CancellationToken cancellationToken)
    {
        _stopping = true;
        if (_active.IsEmpty)
            return;
        try
        {
            await _empty.Task.WaitAsync(Limit, time, cancellationToken);
        }
        catch (Exception e) when (e is TimeoutException or OperationCanceledException)
        {
            foreach (var http in _active.Keys)
                http.Abort();
        }
    }

    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    private static bool OnlyReads(string method) =>
        HttpMethods.IsGet(method) || HttpMethods.IsHead(method) || HttpMethods.IsOptions(method) || method == "PROPFIND";

    private static Task RefuseAsync(HttpContext http)
    {
        http.Response.StatusCode = StatusCodes.Status503ServiceUnavailable;
        http.Response.Headers.RetryAfter = "10";
        if (http.Request.Path == "/health/ready")
            return http.Response.WriteAsJsonAsync(
                new ReadyReport("draining", "The server is stopping.", null), HealthJson.Default.ReadyReport);
        http.Response.ContentType = "text/plain; charset=utf-8";
        return http.Response.WriteAsync("The server is stopping.\n");
    }
}

/// <summary>Adds <see cref="Drain"/> before all other middleware.</summary>
internal static class DrainSetup
{
    /// <param name="services">Receives the service.</param>
    /// <param name="hasOthers">True where other gateways may answer instead of this one.</param>
    public static void AddDrain(this IServiceCollection services, bool hasOthers)
    {
        services.AddSingleton(provider => ActivatorUtilities.CreateInstance<Drain>(provider, hasOthers));
        services.AddHostedService(provider => provider.GetRequiredService<Drain>());
    }

    public static void UseDrain(this WebApplication app)
    {
        var drain = app.Services.GetRequiredService<Drain>();
        app.Use(next => http => drain.RunAsync(http, next));
    }
}
