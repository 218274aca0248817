using System.ComponentModel;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.Hosting;

namespace NzbDav.Api.Native.Events;

/// <summary>What changes, as it changes: <c>/api/v1/events</c>.</summary>
internal static class EventEndpoints
{
    /// <summary>How often it is looked whether the caller may still listen.</summary>
    private static readonly TimeSpan LookEvery = TimeSpan.FromSeconds(30);

    public static void MapEvents(this IEndpointRouteBuilder api) => api.MapGet("/events", ListenAsync).Needs(ApiRights.Read).WithName("listen").WithTags("events")
        .Produces<string>(StatusCodes.Status200OK, "text/event-stream").Refuses(StatusCodes.Status400BadRequest);

    /// <summary>
    /// A stream of server-sent events: hello, then those of the topics, reset where some were lost, ping every 15 seconds. Ids are EPOCH-NUMBER; who comes back with the last one it heard gets what
    /// came meanwhile, or a reset. The data of the event NAME has the schema NAME or NAMEEvent.
    /// </summary>
    private static async Task ListenAsync(
        HttpContext http,
        EventHub hub,
        StandingCaller standing,
        IHostApplicationLifetime lifetime,
        TimeProvider time,
        [Description("Topics, separated by commas; the usual ones if nothing is said.")] string? topics = null,
        [Description("The id of the last event that was heard, for those who cannot send Last-Event-ID.")] string? after = null)
    {
        var rights = Caller.Of(http).Rights;
        var chosen = new HashSet<string>(StringComparer.Ordinal);
        var needed = ApiRights.Read;
        foreach (var topic in hub.Topics)
        {
            if (string.IsNullOrEmpty(topics) && topic.IsUsual && rights.HasFlag(topic.Needs))
                chosen.Add(topic.Name);
        }

        foreach (var name in topics?.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries) ?? [])
        {
            if (hub.Topics.FirstOrDefault(topic => topic.Name == name) is not { } topic)
            {
                await JsonReply.RefuseAsync(http, StatusCodes.Status400BadRequest, $"There is no topic '{name}': the topics are {string.Join(", ", hub.Topics.Select(topic => topic.Name))}.");
                return;
            }

            if (!rights.HasFlag(topic.Needs))
            {
                await JsonReply.RefuseAsync(http, StatusCodes.Status403Forbidden, $"Your rights do not reach to the topic '{name}'.");
                return;
            }

            chosen.Add(name);
            needed |= topic.Needs;
        }

        http.Response.ContentType = "text/event-stream";
        http.Response.Headers.CacheControl = "no-cache, no-store";
        http.Response.Headers["X-Accel-Buffering"] = "no";
        http.Features.Get<IHttpResponseBodyFeature>()?.DisableBuffering();
        using var ends = CancellationTokenSource.CreateLinkedTokenSource(http.RequestAborted, lifetime.ApplicationStopping);
        var page = hub.Join(chosen, http.Request.Headers["Last-Event-ID"] is [{ Length: > 0 } last] ? last : after);
        var watching = WatchAsync(http, page, standing, needed, time, ends);
        try
        {
            await page.WriteAsync(http.Response, ends.Token);
        }
        catch (OperationCanceledException) when (ends.IsCancellationRequested)
        {
        }
        finally
        {
            hub.Leave(page);
            await ends.CancelAsync();
            await watching;
        }
    }

    /// <summary>Ends the stream of one who may not listen any more, and of one who has taken nothing for half a minute and more.</summary>
    private static async Task WatchAsync(HttpContext http, EventPage page, StandingCaller standing, ApiRights needed, TimeProvider time, CancellationTokenSource ends)
    {
        try
        {
            using var timer = new PeriodicTimer(LookEvery, time);
            var wasLagging = false;
            while (await timer.WaitForNextTickAsync(ends.Token))
            {
                var isLagging = page.IsLagging;
                if (isLagging && wasLagging)
                    http.Abort();
                wasLagging = isLagging;
                if ((await standing.RightsAsync(http) & needed) != needed)
                    await ends.CancelAsync();
            }
        }
        catch (OperationCanceledException)
        {
        }
        catch (Exception e) when (e is Catalog.CatalogException)
        {
            // Who cannot be judged does not go on.
            await ends.CancelAsync();
        }
    }
}
