using System.Collections.Concurrent;
using System.Text.Json.Serialization.Metadata;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.OpenApi;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Catalog;

namespace NzbDav.Api.Native.Documents;

/// <summary>The OpenAPI 3.1 document of <c>/api/v1</c>, made of the routes when somebody asks for it. <c>docs/openapi.json</c> is a copy.</summary>
internal static class ApiDocument
{
    private const string Suffix = "Body";

    public static void AddApiDocument(this IServiceCollection services)
    {
        var names = new ConcurrentDictionary<string, Type>(StringComparer.Ordinal);
        services.AddOpenApi(options =>
        {
            options.ShouldInclude = static description => description.RelativePath?.StartsWith("api/v1/", StringComparison.Ordinal) == true;
            options.CreateSchemaReferenceId = type => NameOf(type, names);
            options.AddDocumentTransformer<DocumentFrame>();
            options.AddOperationTransformer<OperationRights>();
        });
    }

    public static void MapApiDocument(this IEndpointRouteBuilder routes, string root) => routes.MapOpenApi(root + "/openapi.json").Needs(ApiRights.Read);

    /// <summary>A record may be called NameBody: its schema is called Name. Where a job stands is called its state outside.</summary>
    public static string NameOf(Type type) => Shorten(type, type.Name);

    /// <exception cref="InvalidOperationException">Two types would have one schema.</exception>
    private static string? NameOf(JsonTypeInfo info, ConcurrentDictionary<string, Type> names)
    {
        var type = Nullable.GetUnderlyingType(info.Type) ?? info.Type;

        // Bytes as they are sent, not a type of ours.
        if (type == typeof(Stream) || OpenApiOptions.CreateDefaultSchemaReferenceId(info) is not { } name)
            return null;
        name = Shorten(type, name);
        var owner = names.GetOrAdd(name, type);
        return owner == type ? name : throw new InvalidOperationException($"The schema {name} would be {owner} and {type}: rename one.");
    }

    private static string Shorten(Type type, string name) =>
        type == typeof(JobStanding) ? "JobState" : type != typeof(ErrorBody) && name.Length > Suffix.Length && name.EndsWith(Suffix, StringComparison.Ordinal) ? name[..^Suffix.Length] : name;
}
