using NzbDav.Access;
using NzbDav.Api.Sab;
using NzbDav.Arr.Client;
using NzbDav.Arr.Repair;
using NzbDav.Arr.Setup;
using NzbDav.Catalog;
using NzbDav.Library;
using NzbDav.WebDav;

namespace NzbDav.Host.Arrs;

/// <summary>What people do with the *arrs: <c>/api/v1/arrs</c> and <c>/api/v1/repairs</c>.</summary>
internal static class ArrEndpoints
{
    public static void MapArrs(this WebApplication app)
    {
        var services = app.Services;
        var arrs = services.GetRequiredService<ArrInstances>();
        app.MapGet("/api/v1/arrs", http => JsonReply.WriteAsync(http, StatusCodes.Status200OK, new ArrList([.. arrs.All.Select(ArrRow.Of)]), ArrsJson.Default.ArrList)).Needs(ApiRights.Read);
        app.MapPost("/api/v1/arrs/{number:int}/test", http => TestAsync(http, arrs)).Needs(ApiRights.Full);
        app.MapPost("/api/v1/arrs/{number:int}/register", http => RegisterAsync(http, arrs, services)).Needs(ApiRights.Full);
        app.MapPost("/api/v1/repairs", http => RepairAsync(http, arrs, services)).Needs(ApiRights.Full);
    }

    private static async Task TestAsync(HttpContext http, ArrInstances arrs)
    {
        if (Find(http, arrs) is not { } instance)
        {
            await NoneAsync(http);
            return;
        }

        var status = await instance.Client.SystemStatusAsync(http.RequestAborted);
        await JsonReply.WriteAsync(http, StatusCodes.Status200OK, new ArrTest(status.Succeeded, status.Value?.Version, status.Error?.Message), ArrsJson.Default.ArrTest);
    }

    private static async Task RegisterAsync(HttpContext http, ArrInstances arrs, IServiceProvider services)
    {
        if (Find(http, arrs) is not { } instance)
        {
            await NoneAsync(http);
            return;
        }

        if (await JsonBody.ReadAsync(http, ArrsJson.Default.RegisterBody) is not { } body)
            return;
        var address = new GatewayAddress
        {
            Host = body.Host ?? "",
            Port = body.Port ?? 0,
            UseSsl = body.UseSsl,
            UrlBase = services.GetRequiredService<LiveAccess>().Current.UrlBase.Value ?? "",
            ApiKey = services.GetRequiredService<ApiKeys>().Client,
            Category = instance.Settings.Category,
            RemotePath = body.LocalPath is null ? null : services.GetRequiredService<Live<SabOptions>>().Value.CompletedPath,
            LocalPath = body.LocalPath,
        };
        var done = await new ArrSetup(instance.Client).RegisterAsync(address, http.RequestAborted);
        if (done.Succeeded)
            await JsonReply.WriteAsync(http, StatusCodes.Status200OK, new RegisterAnswer(done.Value.Created, done.Value.Warnings), ArrsJson.Default.RegisterAnswer);
        else
            await JsonReply.RefuseAsync(http, done.Error.Kind == ArrErrorKind.Rejected ? StatusCodes.Status422UnprocessableEntity : StatusCodes.Status502BadGateway, done.Error.Message);
    }

    private static async Task RepairAsync(HttpContext http, ArrInstances arrs, IServiceProvider services)
    {
        if (await JsonBody.ReadAsync(http, ArrsJson.Default.RepairBody) is not { } body)
            return;
        var tree = services.GetRequiredService<TreeStore>();
        if (body.Path is null || StorePath.TryParse(Escape(body.Path)) is not { Segments: [JobStore.ContentCollection, var category, _, _, ..] names }
            || await tree.ResolveAsync(names, http.RequestAborted) is not { IsCollection: false } item)
        {
            await JsonReply.RefuseAsync(http, StatusCodes.Status422UnprocessableEntity, "There is no such file: write its path as /content/CATEGORY/JOB/FILE.");
            return;
        }

        var folder = await tree.ResolveAsync(names[..3], http.RequestAborted);
        var job = folder is null ? null : await services.GetRequiredService<JobHistory>().FindByItemAsync(folder.Id, http.RequestAborted);
        var request = new RepairRequest(item.Id.ToString(System.Globalization.CultureInfo.InvariantCulture), LibraryStore.StablePath(item.Id), job is null ? null : NzoId.Of(job.Id));

        // Whose category it is first: it has it most likely.
        RepairOutcome? outcome = null;
        foreach (var instance in arrs.All.Where(instance => instance.Settings.Options.Application != ArrApplication.Prowlarr)
            .OrderByDescending(instance => instance.Settings.Category.Equals(category, StringComparison.OrdinalIgnoreCase)))
        {
            outcome = await instance.Repair.RepairAsync(request, http.RequestAborted);
            if (outcome.Status != RepairStatus.NotFound)
            {
                await JsonReply.WriteAsync(http, StatusCodes.Status200OK, new RepairAnswer(instance.Settings.Name, outcome.Status, outcome.Message, outcome.RetryAfter?.TotalSeconds), ArrsJson.Default.RepairAnswer);
                return;
            }
        }

        await JsonReply.RefuseAsync(http, StatusCodes.Status404NotFound, outcome?.Message ?? "No *arr is configured that could have this file: set NzbDav__Arrs__0__Application, __Url and __ApiKey.");
    }

    private static string Escape(string path) => string.Join('/', path.Split('/').Select(Uri.EscapeDataString));

    private static ArrInstance? Find(HttpContext http, ArrInstances arrs) =>
        arrs.All.FirstOrDefault(instance => instance.Settings.Number.ToString(System.Globalization.CultureInfo.InvariantCulture) == (string?)http.Request.RouteValues["number"]);

    private static async Task NoneAsync(HttpContext http) => await JsonReply.RefuseAsync(http, StatusCodes.Status404NotFound, "No *arr is configured under this number.");
}
