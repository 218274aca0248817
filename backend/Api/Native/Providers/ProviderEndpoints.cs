using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;
using NzbDav.Api.Native.Events;

namespace NzbDav.Api.Native.Providers;

/// <summary>The Usenet accounts: <c>/api/v1/providers</c>.</summary>
internal static class ProviderEndpoints
{
    public static void MapProviders(this IEndpointRouteBuilder api)
    {
        var providers = api.MapGroup("/providers").WithTags("providers");
        providers.MapGet("", (ProviderList list) => TypedResults.Ok(list.Now)).Needs(ApiRights.Read).WithName("listProviders");
        providers.MapPost("/test", TestAsync).Needs(ApiRights.Manage).WithName("testProvider").AcceptsJson<ProviderTestBody>();
    }

    private static async Task<Results<
        Ok<ProviderVerdictBody>, UnprocessableEntity<ProviderTestFaultsBody>, Conflict<ErrorBody>, EmptyHttpResult>> TestAsync(
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

/// <summary>Registers the services of the provider routes. The host adds an <see cref="IProviderNumbers"/>.</summary>
internal static class ProvidersSetup
{
    public static void AddProviders(this IServiceCollection services)
    {
        services.ConfigureHttpJsonOptions(options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, ProviderJson.Default));
        services.AddSingleton<ProviderList>().AddSingleton<ProviderTester>().AddSingleton<KnownArticles>();
        services.AddTopic<ProviderTopic, ProvidersBody>();
    }
}

/// <summary>JSON serialization of providers.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, NumberHandling = JsonNumberHandling.Strict, UseStringEnumConverter = true)]
[JsonSerializable(typeof(ProvidersBody))]
[JsonSerializable(typeof(ProviderTestBody))]
[JsonSerializable(typeof(ProviderVerdictBody))]
[JsonSerializable(typeof(ProviderTestFaultsBody))]
internal sealed partial class ProviderJson : JsonSerializerContext;
