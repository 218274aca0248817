using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Api.Native.Documents;
using NzbDav.Api.Native.Events;
using NzbDav.Api.Native.Files;
using NzbDav.Api.Native.Jobs;
using NzbDav.Api.Native.Providers;
using NzbDav.Api.Native.Streams;
using NzbDav.Api.Native.Torrents;

namespace NzbDav.Api.Native;

/// <summary>Our own interface, <c>/api/v1</c>: what of it lives in this room, and the document about all of it.</summary>
public static class NativeSetup
{
    /// <summary>Where all routes are.</summary>
    public const string Root = "/api/v1";

    /// <summary>Adds what the interface is made of. Needs what <see cref="Sab.SabEndpoints.AddSab"/> adds.</summary>
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
        services.AddStreams();
        services.AddProviders();
        services.AddTorrents();
        return services;
    }

    /// <summary>Maps the routes of this room.</summary>
    public static void MapNative(this IEndpointRouteBuilder routes)
    {
        ArgumentNullException.ThrowIfNull(routes);
        routes.MapApiDocument(Root);
        var api = routes.MapGroup(Root);
        api.MapJobs();
        api.MapQueue();
        api.MapFiles();
        api.MapStreams();
        api.MapEvents();
        api.MapProviders();
        api.MapTorrents();
    }
}
