using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Api.Native.Documents;
using NzbDav.Api.Native.Jobs;

namespace NzbDav.Api.Native.Events;

/// <summary>Registers the services of the event stream.</summary>
public static class EventsSetup
{
    /// <summary>Adds a topic, and describes its data in the API document.</summary>
    /// <typeparam name="TTopic">The topic, registered as a singleton.</typeparam>
    /// <typeparam name="TData">Its <see cref="IEventTopic.DataType"/>.</typeparam>
    public static IServiceCollection AddTopic<TTopic, TData>(this IServiceCollection services)
        where TTopic : class, IEventTopic
    {
        ArgumentNullException.ThrowIfNull(services);
        services.AddSingleton<IEventTopic, TTopic>();
        return services.AddSingleton<IDocumentedType>(new DocumentedTopic(typeof(TData)));
    }

    internal static void AddEvents(this IServiceCollection services)
    {
        services.ConfigureHttpJsonOptions(options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, EventsJson.Default));
        services.AddSingleton<IDocumentedType>(new DocumentedTopic(typeof(HelloBody)));
        services.AddSingleton<EventHub>();
        services.AddTopic<JobsTopic, JobsEventBody>().AddTopic<FilesTopic, FilesEventBody>().AddTopic<QueueTopic, QueueBody>();
    }
}

/// <summary>JSON serialization of the events of this project.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, NumberHandling = JsonNumberHandling.Strict, UseStringEnumConverter = true)]
[JsonSerializable(typeof(HelloBody))]
[JsonSerializable(typeof(JobsEventBody))]
[JsonSerializable(typeof(FilesEventBody))]
internal sealed partial class EventsJson : JsonSerializerContext;

/// <summary>The data of an event, for the API document.</summary>
internal sealed class DocumentedTopic(Type type) : IDocumentedType
{
    public Type Type => type;
}
