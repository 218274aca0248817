using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using NzbDav.Api.Native.Events;
using NzbDav.WebDav.Streams;

namespace NzbDav.Api.Native.Streams;

/// <summary>Registers the services of the stream routes.</summary>
internal static class StreamsSetup
{
    public static void AddStreams(this IServiceCollection services)
    {
        services.ConfigureHttpJsonOptions(options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, StreamsJson.Default));
        services.TryAddSingleton<IFilmLengths, FilmLengths>();
        services.TryAddSingleton<ActiveStreams>();
        services.AddSingleton<StreamList>();
        services.AddSingleton<StreamHistory>();
        services.AddTopic<StreamsTopic, StreamListBody>();
    }
}
