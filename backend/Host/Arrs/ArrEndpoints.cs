using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.AspNetCore.Http.HttpResults;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Options;
using NzbDav.Access.Replies;
using NzbDav.Api.Sab.Calls;
using NzbDav.Arr.Client;
using NzbDav.Arr.Repair;
using NzbDav.Arr.Setup;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Tree;
using NzbDav.WebDav.Store;

namespace NzbDav.Host.Arrs;

/// <summary>Endpoints for the *arrs: <c>/api/v1/arrs</c> and <c>/api/v1/repairs</c>.</summary>
internal static class ArrEndpoints
{
    public static void MapArrs(this IEndpointRouteBuilder routes)
    {
        var api = routes.MapGroup("/api/v1").WithTags("arrs");
        api.MapGet("/arrs", List).Needs(ApiRights.Read).WithName("listArrs");
        api.MapPost("/arrs/{number:int}/test", TestAsync).Needs(ApiRights.Manage).WithName("testArr");
        api.MapPost("/arrs/{number:int}/register", RegisterAsync).Needs(ApiRights.Manage).WithName("registerWithArr")
            .AcceptsJson<RegisterBody>()
            .Refuses(StatusCodes.Status502BadGateway);
        api.MapPost("/repairs", RepairAsync).Needs(ApiRights.Manage).WithName("repairFile").AcceptsJson<RepairBody>();
    }

    private static Ok<ArrList> List(ArrInstances arrs) => TypedResults.Ok(new ArrList([.. arrs.All.Select(ArrRow.Of)]));

    private static async Task<Results<Ok<ArrTest>, NotFound<ErrorBody>>> TestAsync(
        int number, ArrInstances arrs, Live<SabOptions> options, CancellationToken cancellationToken)
    {
        if (Find(number, arrs) is not { } instance)
            return None();
        var status = await instance.Client.SystemStatusAsync(cancellationToken);
        instance.HasAnswered = status.Succeeded;
        var warning = status.Succeeded
            ? await new ArrSetup(instance.Client).CheckFolderAsync(options.Value.CompletedPath, cancellationToken) : null;
        return TypedResults.Ok(new ArrTest(status.Succeeded, status.Value?.Version, status.Error?.Message, warning));
    }

    private static async Task<Results<
        Ok<RegisterAnswer>, NotFound<ErrorBody>, UnprocessableEntity<ErrorBody>, JsonHttpResult<ErrorBody>, EmptyHttpResult>> RegisterAsync(
        HttpContext http, int number, ArrInstances arrs, LiveAccess access, ApiKeys keys, Live<SabOptions> options)
    {
        if (Find(number, arrs) is not { } instance)
            return None();
        if (await JsonBody.ReadAsync(http, ArrsJson.Default.RegisterBody) is not { } body)
            return TypedResults.Empty;
        var address = new GatewayAddress
        {
            Name = body.Torrents ? "NzbDav torrents" : "NzbDav",
            IsForTorrents = body.Torrents,
            Host = body.Host ?? "",
            Port = body.Port ?? 0,
            UseSsl = body.UseSsl,
            UrlBase = access.Current.UrlBase.Value ?? "",
            ApiKey = keys.Client,
            Category = instance.Settings.Category,
            RemotePath = body.LocalPath is null ? null : options.Value.CompletedPath,
            LocalPath = body.LocalPath,
        };
        var setup = new ArrSetup(instance.Client);
        var done = await setup.RegisterAsync(address, http.RequestAborted);
        if (done.Succeeded)
        {
            var unseen = await setup.CheckFolderAsync(options.Value.CompletedPath, http.RequestAborted);
            return TypedResults.Ok(
                new RegisterAnswer(done.Value.Created, unseen is null ? done.Value.Warnings : [.. done.Value.Warnings, unseen]));
        }

        var error = new ErrorBody(done.Error.Message);
        return done.Error.Kind == ArrErrorKind.Rejected
            ? TypedResults.UnprocessableEntity(error) : TypedResults.Json(error, statusCode: StatusCodes.Status502BadGateway);
    }

    private static async Task<Results<Ok<RepairAnswer>, NotFound<ErrorBody>, UnprocessableEntity<ErrorBody>, EmptyHttpResult>> RepairAsync(
        HttpContext http, ArrInstances arrs, TreeStore tree, JobHistory history, RepairRequests requests)
    {
        if (await JsonBody.ReadAsync(http, ArrsJson.Default.RepairBody) is not { } body)
            return TypedResults.Empty;
        if (await PathOfAsync(body, tree, http.RequestAborted) is not [JobStore.ContentCollection, var category, _, _, ..] path
            || await tree.ResolveAsync(path, http.RequestAborted) is not { IsCollection: false } item)
        {
            return TypedResults.UnprocessableEntity(
                new ErrorBody("There is no such file: write its path as /content/CATEGORY/JOB/FILE, or its id as file."));
        }

        var folder = await tree.ResolveAsync(path[..3], http.RequestAborted);
        var job = folder is null ? null : await history.FindByItemAsync(folder.Id, http.RequestAborted);
        var request = await requests.MakeAsync(item, job, http.RequestAborted);

        // Try the *arr of the file's category first: it most likely has the file.
        RepairOutcome? outcome = null;
        foreach (var instance in arrs.All.Where(instance => instance.Settings.Options.Application != ArrApplication.Prowlarr)
            .OrderByDescending(instance => instance.Settings.Category.Equals(category, StringComparison.OrdinalIgnoreCase)))
        {
            outcome = await instance.Repair.RepairAsync(request, http.RequestAborted);
            if (outcome.Status != RepairStatus.NotFound)
                return TypedResults.Ok(
                    new RepairAnswer(instance.Settings.Name, outcome.Status, outcome.Message, outcome.RetryAfter?.TotalSeconds));
        }

        return TypedResults.NotFound(new ErrorBody(
            outcome?.Message ?? "No *arr is configured that could have this file: set NzbDav__Arrs__0__Application, __Url and __ApiKey."));
    }

    private static async ValueTask<string[]> PathOfAsync(RepairBody body, TreeStore tree, CancellationToken cancellationToken) =>
        body.File is null ? StorePath.TryParse(Escape(body.Path ?? ""))?.Segments.ToArray() ?? []
        : long.TryParse(body.File, System.Globalization.NumberStyles.None, System.Globalization.CultureInfo.InvariantCulture, out var id)
            ? [.. await tree.GetPathAsync(id, cancellationToken) ?? []]
        : [];

    private static string Escape(string path) => string.Join('/', path.Split('/').Select(Uri.EscapeDataString));

    private static ArrInstance? Find(int number, ArrInstances arrs) =>
        arrs.All.FirstOrDefault(instance => instance.Settings.Number == number);

    private static NotFound<ErrorBody> None() => TypedResults.NotFound(new ErrorBody("No *arr is configured under this number."));
}

/// <summary>The configured *arrs.</summary>
/// <param name="Arrs">Ordered by number.</param>
internal sealed record ArrList(IReadOnlyList<ArrRow> Arrs);

/// <summary>A configured *arr, without its key.</summary>
/// <param name="Number">Its number in the settings.</param>
/// <param name="Name">Its name.</param>
/// <param name="Application">The program.</param>
/// <param name="Url">Its address.</param>
/// <param name="Category">The category of its downloads here.</param>
/// <param name="Trouble">The error of the latest call to it; null: it succeeded.</param>
internal sealed record ArrRow(int Number, string Name, string Application, string Url, string Category, string? Trouble)
{
    public static ArrRow Of(ArrInstance instance) => new(
        instance.Settings.Number, instance.Settings.Name, instance.Settings.Options.Application.ToString(), instance.Settings.Options.Url,
        instance.Settings.Category, instance.Trouble);
}

/// <summary>Result of testing the connection to an *arr.</summary>
/// <param name="Ok">True if it answers and is the configured program.</param>
/// <param name="Version">Its version.</param>
/// <param name="Error">What is wrong, as text.</param>
/// <param name="Warning">What keeps it from importing although it answers, as text: it does not see the completed downloads.</param>
internal sealed record ArrTest(bool Ok, string? Version, string? Error, string? Warning);

/// <summary>How an *arr reaches this server.</summary>
/// <param name="Host">This server's host name or address, as seen from the *arr's machine or container.</param>
/// <param name="Port">1 to 65535.</param>
/// <param name="UseSsl">Connect over TLS.</param>
/// <param name="LocalPath">The path at which the *arr sees this server's completed folder, if it differs.</param>
/// <param name="Torrents">Register as its client for torrents (qBittorrent) instead of posts (SABnzbd).</param>
internal sealed record RegisterBody(string? Host, int? Port, bool UseSsl, string? LocalPath, bool Torrents = false);

/// <summary>Result of registering this server with an *arr.</summary>
/// <param name="Created">True if a download client was added there; false if an existing one was updated.</param>
/// <param name="Warnings">Problems to check, as text.</param>
internal sealed record RegisterAnswer(bool Created, IReadOnlyList<string> Warnings);

/// <summary>A file to replace.</summary>
/// <param name="Path">Its path in the tree: <c>/content/CATEGORY/JOB/FILE</c>.</param>
/// <param name="File">Its id, instead of the path.</param>
internal sealed record RepairBody(string? Path, string? File = null);

/// <summary>Result of a repair.</summary>
/// <param name="Name">Name of the *arr that has the file.</param>
/// <param name="Status">Outcome.</param>
/// <param name="Message">The outcome as text.</param>
/// <param name="RetryAfterSeconds">Seconds to wait before asking again.</param>
internal sealed record RepairAnswer(string Name, Arr.Repair.RepairStatus Status, string Message, double? RetryAfterSeconds);

/// <summary>JSON serialization of *arrs.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, UseStringEnumConverter = true)]
[JsonSerializable(typeof(ArrList))]
[JsonSerializable(typeof(ArrTest))]
[JsonSerializable(typeof(RegisterBody))]
[JsonSerializable(typeof(RegisterAnswer))]
[JsonSerializable(typeof(RepairBody))]
[JsonSerializable(typeof(RepairAnswer))]
internal sealed partial class ArrsJson : JsonSerializerContext;
