using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Routing;

namespace NzbDav.Api.Native.Jobs;

/// <summary>The queue and the history as one list: <c>/api/v1/jobs</c>.</summary>
internal static class JobEndpoints
{
    public static void MapJobs(this IEndpointRouteBuilder api)
    {
        var jobs = api.MapGroup("/jobs").WithTags("jobs");
        jobs.MapGet("", ListAsync).Needs(ApiRights.Read).WithName("listJobs");
        jobs.MapGet("/{id}", GetAsync).Needs(ApiRights.Read).WithName("getJob");
        jobs.MapGet("/{id}/source", GetSourceAsync).Needs(ApiRights.Read).WithName("getJobSource").Produces(StatusCodes.Status200OK, contentType: "application/octet-stream").Refuses(StatusCodes.Status404NotFound);
        jobs.MapPost("", AddAsync).Needs(ApiRights.Add).WithName("addJobs").Accepts<AddFilesBody>("multipart/form-data")
            .Refuses(StatusCodes.Status400BadRequest, StatusCodes.Status413PayloadTooLarge, StatusCodes.Status415UnsupportedMediaType);
        jobs.MapPost("/links", AddLinksAsync).Needs(ApiRights.Add).WithName("addJobLinks").TakesJson<AddLinksBody>();
        jobs.MapPost("/actions", ActAsync).Needs(ApiRights.Change).WithName("actOnJobs").TakesJson<JobsActionBody>();
    }

    private static Task<Results<Ok<JobPageBody>, BadRequest<ErrorBody>>> ListAsync([AsParameters] JobsQuery query, CancellationToken cancellationToken) =>
        throw new BadHttpRequestException("The list of jobs is not there yet.", StatusCodes.Status501NotImplemented);

    private static Task<Results<Ok<JobDetailsBody>, NotFound<ErrorBody>>> GetAsync(string id, CancellationToken cancellationToken) =>
        throw new BadHttpRequestException("The details of jobs are not there yet.", StatusCodes.Status501NotImplemented);

    private static Task GetSourceAsync(HttpContext http, string id, CancellationToken cancellationToken) =>
        throw new BadHttpRequestException("The sources of jobs are not there yet.", StatusCodes.Status501NotImplemented);

    private static Task<Results<Ok<AddAnswerBody>, UnprocessableEntity<ErrorBody>, EmptyHttpResult>> AddAsync(HttpContext http, CancellationToken cancellationToken) =>
        throw new BadHttpRequestException("Adding is not there yet.", StatusCodes.Status501NotImplemented);

    private static Task<Results<Ok<AddAnswerBody>, UnprocessableEntity<ErrorBody>, EmptyHttpResult>> AddLinksAsync(HttpContext http, CancellationToken cancellationToken) =>
        throw new BadHttpRequestException("Adding is not there yet.", StatusCodes.Status501NotImplemented);

    private static Task<Results<Ok<ActionAnswerBody>, UnprocessableEntity<ErrorBody>, EmptyHttpResult>> ActAsync(HttpContext http, CancellationToken cancellationToken) =>
        throw new BadHttpRequestException("Actions are not there yet.", StatusCodes.Status501NotImplemented);
}
