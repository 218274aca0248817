using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;
using NzbDav.Api.Forms;
using NzbDav.Api.Native.Replies;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Api.Native.Jobs;

/// <summary>The queue and the history as one list: <c>/api/v1/jobs</c>.</summary>
internal static class JobEndpoints
{
    private const int MostLinks = 100;

    /// <summary>Enough for a hundred magnet links with long lists of trackers, or a thousand ids.</summary>
    private const int MostJson = 1 << 20;

    /// <summary>Bytes of one value in a form.</summary>
    internal const int MostField = 4 << 10;

    private const string NoJob = "There is no such job.";

    public static void MapJobs(this IEndpointRouteBuilder api)
    {
        var jobs = api.MapGroup("/jobs").WithTags("jobs");
        jobs.MapGet("", ListAsync).Needs(ApiRights.Read).WithName("listJobs");
        jobs.MapGet("/{id}", GetAsync).Needs(ApiRights.Read).WithName("getJob");
        jobs.MapGet("/{id}/source", GetSourceAsync).Needs(ApiRights.Change).WithName("getJobSource")
            .Produces(StatusCodes.Status200OK, contentType: "application/octet-stream");
        jobs.MapPost("", AddAsync).Needs(ApiRights.Add).WithName("addJobs").Accepts<AddFilesBody>("multipart/form-data")
            .Refuses(StatusCodes.Status400BadRequest, StatusCodes.Status413PayloadTooLarge, StatusCodes.Status415UnsupportedMediaType);
        jobs.MapPost("/links", AddLinksAsync).Needs(ApiRights.Add).WithName("addJobLinks").AcceptsJson<AddLinksBody>();
        jobs.MapPost("/actions", ActAsync).Needs(ApiRights.Change).WithName("actOnJobs").AcceptsJson<JobsActionBody>();
    }

    private static async Task<Results<Ok<JobPageBody>, BadRequest<ErrorBody>>> ListAsync(
        [AsParameters] JobsQuery query, JobView view, CancellationToken cancellationToken)
    {
        var (filter, paging, error) = JobsQueryReader.Read(query);
        return filter is null
            ? TypedResults.BadRequest(new ErrorBody(error!)) : TypedResults.Ok(await view.ListAsync(filter, paging, cancellationToken));
    }

    private static async Task<Results<Ok<JobDetailsBody>, NotFound<ErrorBody>>> GetAsync(
        string id, JobView view, CancellationToken cancellationToken) =>
        Parse(id) is { } number && await view.FindAsync(number, cancellationToken) is { } details
            ? TypedResults.Ok(details) : TypedResults.NotFound(new ErrorBody(NoJob));

    /// <summary>
    /// The .nzb, .torrent or magnet link as it was added. It contains an archive's password and a tracker's passkey, so the right to read
    /// is not enough.
    /// </summary>
    private static async Task<Results<FileStreamHttpResult, NotFound<ErrorBody>>> GetSourceAsync(
        string id, JobStore jobs, BlobStore blobs, CancellationToken cancellationToken)
    {
        if (Parse(id) is not { } number || await jobs.GetAsync(number, cancellationToken) is not { Nzb: { } blob } job)
            return TypedResults.NotFound(new ErrorBody(NoJob));
        var (type, ending) = job.Kind switch
        {
            JobKind.Torrent => ("application/x-bittorrent", ".torrent"),
            JobKind.Magnet => ("text/plain; charset=utf-8", ".magnet"),
            _ => ("application/x-nzb", ".nzb"),
        };
        return TypedResults.Stream(await blobs.OpenReadAsync(blob, cancellationToken), type, job.Name + ending);
    }

    private static async Task<Results<Ok<AddAnswerBody>, UnprocessableEntity<ErrorBody>, EmptyHttpResult>> AddAsync(
        HttpContext http, FormReader forms, JobIntake intake)
    {
        await using var form = new CallForm(ApiRights.Add) { MostField = MostField };
        if (!await ReadAsync(http, forms, form))
            return TypedResults.Empty;
        if (form.Files.Count == 0)
            return TypedResults.UnprocessableEntity(new ErrorBody("There is no file in the form."));
        var values = form.Values;
        if (values.TryGetValue("priority", out var text)
            && !int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out _))
            return TypedResults.UnprocessableEntity(new ErrorBody("priority must be -1 to 2."));
        if (values.TryGetValue("paused", out var flag) && !bool.TryParse(flag, out _))
            return TypedResults.UnprocessableEntity(new ErrorBody("paused must be true or false."));
        int? priority = text is null ? null : int.Parse(text, CultureInfo.InvariantCulture);
        if (await intake.RequestAsync(values.GetValueOrDefault("category"), priority, values.GetValueOrDefault("password"),
            flag is null ? null : bool.Parse(flag), http.RequestAborted) is not { } request)
            return NoCategory(values["category"]);

        // Files that were received whole are added even if the caller does not wait for the result.
        var results = new List<AddResultBody>();
        foreach (var (name, file) in form.Files)
            results.AddRange(await intake.AddFileAsync(Path.GetFileName(name.Replace('\\', '/')), file, request, CancellationToken.None));
        return TypedResults.Ok(new AddAnswerBody(results));
    }

    /// <summary>Reads the form. False if it is not a form or too large: then 400, 413 or 415 has been sent.</summary>
    internal static async ValueTask<bool> ReadAsync(HttpContext http, FormReader forms, CallForm form)
    {
        if (!FormBody.IsMultipart(http.Request))
            return await JsonReply.RefuseAsync(http, StatusCodes.Status415UnsupportedMediaType, "Send a form: multipart/form-data.");
        try
        {
            await forms.ReadAsync(http, form);
            return true;
        }
        catch (FormTooLargeException e)
        {
            return await JsonReply.RefuseAsync(http, StatusCodes.Status413PayloadTooLarge, e.Message);
        }
        catch (Exception e)
            when (e is InvalidDataException or IOException and not CatalogException && !http.RequestAborted.IsCancellationRequested)
        {
            return await JsonReply.RefuseAsync(http, StatusCodes.Status400BadRequest, $"The form cannot be read: {e.Message}");
        }
    }

    private static async Task<Results<Ok<AddAnswerBody>, UnprocessableEntity<ErrorBody>, EmptyHttpResult>> AddLinksAsync(
        HttpContext http, JobIntake intake)
    {
        if (await JsonBody.ReadAsync(http, JobsJson.Default.AddLinksBody, MostJson) is not { } body)
            return TypedResults.Empty;
        var links = body.Links?.Where(link => !string.IsNullOrWhiteSpace(link)).ToList() ?? [];
        if (links.Count is 0 or > MostLinks)
            return TypedResults.UnprocessableEntity(new ErrorBody($"links must have 1 to {MostLinks} links."));
        if (await intake.RequestAsync(body.Category, body.Priority, body.Password, body.Paused, http.RequestAborted) is not { } request)
            return NoCategory(body.Category);
        var results = new List<AddResultBody>();
        foreach (var link in links)
            results.Add(await intake.AddLinkAsync(link!, request, CancellationToken.None));
        return TypedResults.Ok(new AddAnswerBody(results));
    }

    private static async Task<Results<Ok<ActionAnswerBody>, UnprocessableEntity<ErrorBody>, EmptyHttpResult>> ActAsync(
        HttpContext http, JobBatch batch)
    {
        if (await JsonBody.ReadAsync(http, JobsJson.Default.JobsActionBody, MostJson) is not { } body)
            return TypedResults.Empty;
        if (JobBatch.FaultOf(body) is { } fault)
            return TypedResults.UnprocessableEntity(new ErrorBody(fault));
        return await batch.RunAsync(body) is { } answer ? TypedResults.Ok(answer) : NoCategory(body.Category);
    }

    private static long? Parse(string id) =>
        long.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : null;

    private static UnprocessableEntity<ErrorBody> NoCategory(string? category) =>
        TypedResults.UnprocessableEntity(new ErrorBody($"'{category}' is not a valid name for a category."));
}

/// <summary>Registers the services of the job routes.</summary>
internal static class JobsSetup
{
    public static void AddJobs(this IServiceCollection services)
    {
        services.ConfigureHttpJsonOptions(options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, JobsJson.Default));
        services.TryAddSingleton<JobList>();
        services.AddSingleton<ProgressBoard>().AddSingleton<JobView>().AddSingleton<JobIntake>().AddSingleton<JobBatch>();
    }
}

/// <summary>JSON serialization of jobs.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, NumberHandling = JsonNumberHandling.Strict, UseStringEnumConverter = true)]
[JsonSerializable(typeof(JobPageBody))]
[JsonSerializable(typeof(JobDetailsBody))]
[JsonSerializable(typeof(AddAnswerBody))]
[JsonSerializable(typeof(AddLinksBody))]
[JsonSerializable(typeof(JobsActionBody))]
[JsonSerializable(typeof(ActionAnswerBody))]
[JsonSerializable(typeof(QueueBody))]
[JsonSerializable(typeof(QueueChangeBody))]
internal sealed partial class JobsJson : JsonSerializerContext;

/// <summary>A form with files to add. Only for the API document: the form itself is read as a stream.</summary>
/// <param name="File">.nzb files, plain or in .gz, .bz2 or .zip, .torrent and .magnet files; at most 1,000.</param>
/// <param name="Category">The category of the jobs; left out: the default category.</param>
/// <param name="Priority">Higher priorities run first; left out: 0.</param>
/// <param name="Password">For encrypted archives.</param>
/// <param name="Paused">Add the jobs paused.</param>
internal sealed record AddFilesBody(
    IReadOnlyList<IFormFile> File, string? Category = null, int? Priority = null, string? Password = null, bool? Paused = null);

/// <summary>Links to add.</summary>
/// <param name="Links">Magnet links, and addresses of .nzb and .torrent files that begin with http:// or https://. 1 to 100.</param>
/// <param name="Category">The category of the jobs; null: the default category.</param>
/// <param name="Priority">Higher priorities run first; null: 0.</param>
/// <param name="Password">For encrypted archives.</param>
/// <param name="Paused">Add the jobs paused.</param>
internal sealed record AddLinksBody(
    IReadOnlyList<string?>? Links, string? Category = null, int? Priority = null, string? Password = null, bool? Paused = null);

/// <summary>The results of adding files or links.</summary>
/// <param name="Results">In order, one for each file, each link, and each .nzb in a zip.</param>
internal sealed record AddAnswerBody(IReadOnlyList<AddResultBody> Results);
