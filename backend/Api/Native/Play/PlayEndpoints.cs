using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Http.Json;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;
using NzbDav.Api.Forms;
using NzbDav.Api.Native.Files;
using NzbDav.Api.Native.Jobs;
using NzbDav.Api.Native.Links;
using NzbDav.Catalog.Database;
using NzbDav.Import.Intake;
using NzbDav.Import.Progress;
using NzbDav.Library.Filling;

namespace NzbDav.Api.Native.Play;

/// <summary>From an .nzb, a .torrent, a magnet link or an address to one that plays, in one call: <c>POST /api/v1/play</c>.</summary>
internal static class PlayEndpoints
{
    /// <summary>Most uploads that are received at once. The others wait in their connections, so that they take no space.</summary>
    private const int MostReceived = 32;

    /// <summary>How often listeners hear of progress.</summary>
    private static readonly TimeSpan ProgressInterval = TimeSpan.FromMilliseconds(200);

    private static readonly SemaphoreSlim Receiving = new(MostReceived);

    public static void MapPlay(this IEndpointRouteBuilder api)
    {
        api.MapPost("/play", PlayAsync).Needs(ApiRights.Add | ApiRights.Read).WithName("play").WithTags("play")
            .Accepts<PlayOrderBody>("application/json", "*/*").Produces<PlayAnswerBody>()
            .Produces<PlayFailureBody>(StatusCodes.Status404NotFound).Produces<PlayFailureBody>(StatusCodes.Status422UnprocessableEntity)
            .Produces<PlayFailureBody>(StatusCodes.Status503ServiceUnavailable);
        api.MapPost("/inspect", InspectAsync).Needs(ApiRights.Add | ApiRights.Read).WithName("inspect").WithTags("play")
            .Accepts<PlayOrderBody>("application/json", "*/*").Produces<InspectionBody>()
            .Refuses(StatusCodes.Status422UnprocessableEntity);
    }

    /// <summary>
    /// Takes an .nzb, a .torrent, a magnet link or an address, and answers with an address that plays as soon as the first bytes can be
    /// read. The body is JSON with a link; a form with a file (<c>file</c>) and the other fields as values; or the file itself, with the
    /// other fields in the query. Equal calls share one job. What failed for good fails at once for half an hour. With
    /// <c>Accept: text/event-stream</c> the events <c>progress</c> come first, then <c>ready</c> or <c>failed</c>.
    /// </summary>
    private static async Task PlayAsync(HttpContext http, FormReader forms, NzbIntake intake, PlayRequests requests, PlayAnswers answers,
        ProgressBoard board, MadeLinks links, TimeProvider time)
    {
        if (await ReadAsync(http, forms, intake, requests, links, BeginAsync) is not var (arrival, body))
            return;
        if (http.Request.Headers.Accept.ToString().Contains("text/event-stream", StringComparison.OrdinalIgnoreCase))
            await SendEventsAsync(http, arrival, body, answers, board, time);
        else
            await SendAsync(http, await answers.OfAsync(http, await arrival.Outcome.WaitAsync(http.RequestAborted), body));

        async Task<Tuple<PlayArrival, PlayOrderBody>> BeginAsync(PlayOrder order, PlayOrderBody wish)
        {
            var begun = await requests.BeginAsync(order, http.RequestAborted);

            // The file is this call's.
            if (order.File is not null)
                await begun.Taken;
            return Tuple.Create(begun, wish);
        }
    }

    /// <summary>
    /// Takes the same as <c>POST /play</c>, and tells what an import would give, without importing: the providers are asked for a few
    /// articles of each file, and nothing is kept.
    /// </summary>
    private static async Task InspectAsync(
        HttpContext http, FormReader forms, NzbIntake intake, PlayRequests requests, PlayInspection inspection, MadeLinks links)
    {
        if (await ReadAsync(http, forms, intake, requests, links, (order, _) => inspection.InspectAsync(order, http.RequestAborted))
            is { } answer)
            await TypedResults.Ok(answer).ExecuteAsync(http);
    }

    /// <summary>Reads an order, which is used before its file goes.</summary>
    /// <returns>Null if it is refused; then that has been answered.</returns>
    private static async Task<T?> ReadAsync<T>(
        HttpContext http, FormReader forms, NzbIntake intake, PlayRequests requests, MadeLinks links,
        Func<PlayOrder, PlayOrderBody, Task<T>> use)
        where T : class
    {
        await Receiving.WaitAsync(http.RequestAborted);
        var isReceiving = true;
        try
        {
            await using var form = new CallForm(ApiRights.Add) { MostField = JobEndpoints.MostField };
            IntakeFile? raw = null;
            PlayOrderBody? body;
            if (FormBody.IsMultipart(http.Request))
            {
                if (!await JobEndpoints.ReadAsync(http, forms, form))
                    return null;
                body = PlayOrderBody.Of(form.Value);
            }
            else if (http.Request.HasJsonContentType())
            {
                body = await JsonBody.ReadAsync(http, PlayJson.Default.PlayOrderBody);
                if (body is null)
                    return null;
            }
            else
            {
                if (http.Features.Get<IHttpMaxRequestBodySizeFeature>() is { IsReadOnly: false } limit)
                    limit.MaxRequestBodySize = null;
                body = PlayOrderBody.Of(name => http.Request.Query[name] is [{ } value, ..] ? value : null);
                raw = await intake.ReceiveAsync(http.Request.Body, http.RequestAborted);
            }

            await using (raw)
            {
                var sent = form.Files is [var one, ..] ? one : null;
                var file = raw ?? sent?.Content;
                var given = (file is null or { Length: 0, IsTooLarge: false } ? 0 : 1) + (string.IsNullOrWhiteSpace(body.Link) ? 0 : 1)
                    + (string.IsNullOrWhiteSpace(body.Release) ? 0 : 1);
                var mayChange = Caller.Of(http).Rights.HasFlag(ApiRights.Change);
                var found = given == 1 && body.Release is { } release
                    ? requests.Find(release, body.Category, body.Password, mayChange) : null;
                var fault = body.FaultOf(links.MostHours(http)) ?? (given != 1 ? "Send one of these: a file, a link, or a release."
                    : body.Release is not null && found is null
                        ? "No search has found this release, or that was long ago: search again." : null);
                if (fault is not null)
                {
                    await JsonReply.RefuseAsync(http, StatusCodes.Status422UnprocessableEntity, fault);
                    return null;
                }

                var name = Path.GetFileName((sent?.Name ?? "unnamed").Replace('\\', '/'));
                var order = found ?? new PlayOrder(name, body.Link is null ? file : null, body.Link?.Trim(), body.Category, body.Password)
                { Title = body.Title, MayChange = mayChange };
                if (order.File is null)
                {
                    // Fetching an address may take minutes.
                    Receiving.Release();
                    isReceiving = false;
                }

                return await use(order, body);
            }
        }
        finally
        {
            if (isReceiving)
                Receiving.Release();
        }
    }

    private static async Task SendAsync(HttpContext http, (PlayAnswerBody? Answer, PlayFailure? Failure) result)
    {
        http.Response.Headers.CacheControl = "no-store";
        if (result.Answer is { } answer)
        {
            await TypedResults.Ok(answer).ExecuteAsync(http);
            return;
        }

        var failure = result.Failure!;
        var status = failure.MayPass ? StatusCodes.Status503ServiceUnavailable
            : failure.Code == PlayFailure.NoSuchFile ? StatusCodes.Status404NotFound : StatusCodes.Status422UnprocessableEntity;
        await TypedResults.Json(PlayFailureBody.Of(failure), statusCode: status).ExecuteAsync(http);
    }

    private static async Task SendEventsAsync(
        HttpContext http, PlayArrival arrival, PlayOrderBody body, PlayAnswers answers, ProgressBoard board, TimeProvider time)
    {
        http.Response.ContentType = "text/event-stream";
        http.Response.Headers.CacheControl = "no-cache, no-store";
        http.Response.Headers["X-Accel-Buffering"] = "no";
        http.Features.Get<IHttpResponseBodyFeature>()?.DisableBuffering();
        var json = http.RequestServices.GetRequiredService<IOptions<JsonOptions>>().Value.SerializerOptions;
        var ending = EndAsync();
        PlayProgressBody? said = null;
        try
        {
            using var timer = new PeriodicTimer(ProgressInterval, time);
            for (Task? tick = null; tick is null || await Task.WhenAny(ending, tick) != ending;)
            {
                if (tick is not null)
                    await tick;
                var progress = arrival.JobId is not { } job ? new PlayProgressBody(null, "receive", 0)
                    : board.Of(job) is { } at ? new PlayProgressBody(FileFinder.IdOf(job), at.Step, at.PerMille)
                    : new PlayProgressBody(FileFinder.IdOf(job), "queue", 0);
                if (progress != said)
                    await WriteAsync("progress", progress);
                said = progress;
                tick = timer.WaitForNextTickAsync(http.RequestAborted).AsTask();
            }

            var (answer, failure) = await ending;
            if (answer is not null)
                await WriteAsync("ready", answer);
            else
                await WriteAsync("failed", PlayFailureBody.Of(failure!));
        }
        finally
        {
            // It uses the request.
            await ((Task)ending).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        async Task<(PlayAnswerBody? Answer, PlayFailure? Failure)> EndAsync()
        {
            try
            {
                return await answers.OfAsync(http, await arrival.Outcome.WaitAsync(http.RequestAborted), body);
            }
            catch (CatalogException e)
            {
                return (null, new PlayFailure(ImportFailure.Storage, e.Message, MayPass: true));
            }
        }

        async Task WriteAsync<T>(string name, T data)
        {
            var text = JsonSerializer.Serialize(data, (JsonTypeInfo<T>)json.GetTypeInfo(typeof(T)));
            await http.Response.WriteAsync($"event: {name}\ndata: {text}\n\n", http.RequestAborted);
            await http.Response.Body.FlushAsync(http.RequestAborted);
        }
    }
}

/// <summary>Registers the services of playing at once.</summary>
internal static class PlaySetup
{
    public static void AddPlay(this IServiceCollection services)
    {
        services.ConfigureHttpJsonOptions(options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, PlayJson.Default));
        services.AddSingleton<JobFiles>().AddSingleton<NextCopies>()
            .AddSingleton<IFileCopies>(static provider => provider.GetRequiredService<NextCopies>());
        services.AddSingleton<ReleaseChecks>().AddSingleton<PlayRequests>().AddSingleton<PlayAnswers>().AddSingleton<PlayInspection>();
    }
}

/// <summary>What to play.</summary>
/// <param name="Link">A magnet link, or the address of an .nzb or .torrent; null: the file itself is sent.</param>
/// <param name="Release">The id of a release that a search has found; null: none. If it cannot be played, its other copies are
/// tried.</param>
/// <param name="Title">What the job is called; null: as the file, or what the link says.</param>
/// <param name="Name">The file to play, by its name or the end of its path; null: see <paramref name="Season"/>.</param>
/// <param name="Season">The season of the episode to play; null: any.</param>
/// <param name="Episode">The episode to play; null: any. Without name, season and episode the largest video plays.</param>
/// <param name="Category">The category of the job; null: <c>play</c>.</param>
/// <param name="Password">For encrypted archives; null: none.</param>
/// <param name="Hours">How many hours the address works, as that of a play link; null: 12, or twice the film's length if that is
/// longer.</param>
internal sealed record PlayOrderBody(
    string? Link = null, string? Release = null, string? Title = null, string? Name = null, int? Season = null, int? Episode = null,
    string? Category = null,
    string? Password = null, int? Hours = null)
{
    /// <summary>What a number is that cannot be read.</summary>
    private const int NoNumber = -1;

    /// <summary>From the values of a form, or of a query.</summary>
    public static PlayOrderBody Of(Func<string, string?> value)
    {
        return new(
            Text("link"), Text("release"), Text("title"), Text("name"), Number("season"), Number("episode"), Text("category"),
            Text("password"), Number("hours"));

        string? Text(string name) => value(name) is { Length: > 0 } text ? text : null;

        int? Number(string name) => Text(name) is { } text
            ? int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : NoNumber : null;
    }

    /// <summary>What is wrong with it; null: nothing.</summary>
    public string? FaultOf(int mostHours) =>
        Season is < 0 ? "season must be a number." : Episode is < 0 ? "episode must be a number." : LinkEndpoints.FaultOf(Hours, mostHours);
}

/// <summary>What plays.</summary>
/// <param name="Path">What follows scheme and host, with the URL base. It needs no password.</param>
/// <param name="Address">The same with the scheme and host of the call.</param>
/// <param name="Expires">When it stops working.</param>
/// <param name="JobId">The job that brought it.</param>
/// <param name="File">The file.</param>
/// <param name="Media">Container, length and tracks.</param>
/// <param name="Others">The other playable files of the job, in natural order; at most 500.</param>
/// <param name="Tried">The copies of the release that were tried before and cannot be played.</param>
internal sealed record PlayAnswerBody(
    string Path, string Address, DateTimeOffset Expires, string JobId, FileItemBody File, MediaBody Media,
    IReadOnlyList<FileItemBody> Others, IReadOnlyList<TriedCopyBody> Tried);

/// <summary>A copy of a release that cannot be played.</summary>
/// <param name="Title">Its title.</param>
/// <param name="Indexer">Where it is listed; null: nobody has said.</param>
/// <param name="Failure">Why not.</param>
internal sealed record TriedCopyBody(string Title, string? Indexer, PlayFailureBody Failure)
{
    public static IReadOnlyList<TriedCopyBody> Of(IEnumerable<PlayTry> tried) =>
        [.. tried.Select(static one => new TriedCopyBody(one.Title, one.Indexer, PlayFailureBody.Of(one.Failure)))];
}

/// <summary>Why nothing plays.</summary>
/// <param name="Error">For people.</param>
/// <param name="Code">For programs: that of a failed job, or <c>unreachable-address</c>, <c>bad-category</c>, <c>no-such-file</c>,
/// <c>no-bytes</c>, <c>job-paused</c>, <c>job-deleted</c>, <c>server-stopping</c>.</param>
/// <param name="MayPass">True if the same may succeed later.</param>
/// <param name="Tried">Copies of the release that were tried before and cannot be played either.</param>
internal sealed record PlayFailureBody(string Error, string Code, bool MayPass, IReadOnlyList<TriedCopyBody> Tried)
{
    public static PlayFailureBody Of(PlayFailure failure) =>
        new(failure.Message, failure.Code, failure.MayPass, TriedCopyBody.Of(failure.Tried));
}

/// <summary>How far it is.</summary>
/// <param name="JobId">The job; null: there is none yet.</param>
/// <param name="Step">The step of the import; before it <c>receive</c>, then <c>queue</c>.</param>
/// <param name="PerMille">Progress of the step.</param>
internal sealed record PlayProgressBody(string? JobId, string Step, int PerMille);

/// <summary>JSON serialization of what plays.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, NumberHandling = JsonNumberHandling.Strict, UseStringEnumConverter = true)]
[JsonSerializable(typeof(PlayOrderBody))]
[JsonSerializable(typeof(PlayAnswerBody))]
[JsonSerializable(typeof(PlayFailureBody))]
[JsonSerializable(typeof(PlayProgressBody))]
[JsonSerializable(typeof(InspectionBody))]
[JsonSerializable(typeof(SearchAnswerBody))]
internal sealed partial class PlayJson : JsonSerializerContext;
