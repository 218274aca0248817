using System.ComponentModel;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.Hosting;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;
using NzbDav.Access.Rules;
using NzbDav.Catalog.Database;

namespace NzbDav.Api.Native.Events;

/// <summary>The stream of changes: <c>/api/v1/events</c>.</summary>
internal static class EventEndpoints
{
    /// <summary>How often the caller's rights are checked again.</summary>
    private static readonly TimeSpan RightsCheckInterval = TimeSpan.FromSeconds(30);

    public static void MapEvents(this IEndpointRouteBuilder api) =>
        api.MapGet("/events", ListenAsync).Needs(ApiRights.Read).WithName("listen").WithTags("events")
        .Produces<string>(StatusCodes.Status200OK, "text/event-stream").Refuses(StatusCodes.Status400BadRequest);

    /// <summary>
    /// A stream of server-sent events: hello, then the events of the topics, reset where some were lost, and a ping every 15 seconds. Ids
    /// are EPOCH-NUMBER. A client that reconnects with the id of its last event gets the events since then, or a reset. The data of the
    /// event NAME has the schema NAME or NAMEEvent.
    /// </summary>
    private static async Task ListenAsync(
        HttpContext http,
        EventHub hub,
        LongLivedCaller standing,
        IHostApplicationLifetime lifetime,
        TimeProvider time,
        [Description("Topics, separated by commas; by default the usual ones.")] string? topics = null,
        [Description("The id of the last event received, for clients that cannot send Last-Event-ID.")] string? after = null)
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
                await JsonReply.RefuseAsync(http, StatusCodes.Status400BadRequest,
                    $"There is no topic '{name}': the topics are {string.Join(", ", hub.Topics.Select(topic => topic.Name))}.");
                return;
            }

            if (!rights.HasFlag(topic.Needs))
            {
                await JsonReply.RefuseAsync(http, StatusCodes.Status403Forbidden, $"You are not allowed to listen to the topic '{name}'.");
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
            hub.Remove(page);
            await ends.CancelAsync();
            await watching;
        }
    }

    /// <summary>Ends the stream of a caller who has lost the right to listen, or who has read nothing for half a minute or more.</summary>
    private static async Task WatchAsync(
        HttpContext http, EventPage page, LongLivedCaller standing, ApiRights needed, TimeProvider time, CancellationTokenSource ends)
    {
        try
        {
            using var timer = new PeriodicTimer(RightsCheckInterval, time);
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
        catch (Exception e) when (e is CatalogException)
        {
            // A caller whose rights cannot be checked is disconnected.
            await ends.CancelAsync();
        }
    }
}
