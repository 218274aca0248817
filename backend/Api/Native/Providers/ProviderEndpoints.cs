using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Routing;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;

namespace NzbDav.Api.Native.Providers;

/// <summary>The Usenet accounts: <c>/api/v1/providers</c>.</summary>
internal static class ProviderEndpoints
{
    public static void MapProviders(this IEndpointRouteBuilder api)
    {
        var providers = api.MapGroup("/providers").WithTags("providers");
        providers.MapGet("", (ProviderList list) => TypedResults.Ok(list.Now)).Needs(ApiRights.Read).WithName("listProviders");
        providers.MapPost("/test", TestAsync).Needs(ApiRights.Manage).WithName("testProvider").TakesJson<ProviderTestBody>();
    }

    private static async Task<Results<Ok<ProviderVerdictBody>, UnprocessableEntity<ProviderTestFaultsBody>, Conflict<ErrorBody>, EmptyHttpResult>> TestAsync(
        HttpContext http, ProviderTester tester, CancellationToken cancellationToken)
    {
        if (await JsonBody.ReadAsync(http, ProviderJson.Default.ProviderTestBody) is not { } body)
            return TypedResults.Empty;
        var (options, faults) = tester.Read(body);
        if (options is null)
            return TypedResults.UnprocessableEntity(new ProviderTestFaultsBody(faults));
        return await tester.TryRunAsync(options, cancellationToken) is { } verdict
            ? TypedResults.Ok(verdict)
            : TypedResults.Conflict(new ErrorBody("Another test is running: it takes half a minute at most. Try again then."));
    }
}
