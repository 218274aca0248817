using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Api.Native.Documents;
using NzbDav.Api.Native.Events;
using NzbDav.Api.Native.Files;
using NzbDav.Api.Native.Jobs;
using NzbDav.Api.Native.Links;
using NzbDav.Api.Native.Play;
using NzbDav.Api.Native.Providers;
using NzbDav.Api.Native.Streams;
using NzbDav.Api.Native.Torrents;

namespace NzbDav.Api.Native;

/// <summary>The native API, <c>/api/v1</c>: the routes that this project implements, and the OpenAPI document of all its routes.</summary>
public static class NativeSetup
{
    /// <summary>Path prefix of all routes.</summary>
    public const string Root = "/api/v1";

    /// <summary>Registers the services of the native API. Needs what <see cref="Sab.SabEndpoints.AddSab"/> adds.</summary>
    public static IServiceCollection AddNative(this IServiceCollection services)
    {
        ArgumentNullException.ThrowIfNull(services);
        services.ConfigureHttpJsonOptions(options =>
        {
            var json = options.SerializerOptions;
            json.NumberHandling = JsonNumberHandling.Strict;
            json.Converters.Add(new JsonStringEnumConverter(JsonNamingPolicy.CamelCase, allowIntegerValues: false));
        });
        services.AddApiDocument();
        services.AddJobs();
        services.AddEvents();
        services.AddFiles();
        services.AddLinks();
        services.AddPlay();
        services.AddStreams();
        services.AddProviders();
        services.AddTorrents();
        return services;
    }

    /// <summary>Maps the routes that this project implements.</summary>
    public static void MapNative(this IEndpointRouteBuilder routes)
    {
        ArgumentNullException.ThrowIfNull(routes);
        routes.MapApiDocument(Root);
        var api = routes.MapGroup(Root);
        api.MapJobs();
        api.MapQueue();
        api.MapFiles();
        api.MapPlay();
        api.MapSearch();
        api.MapStreams();
        api.MapEvents();
        api.MapProviders();
        api.MapTorrents();
    }
}
