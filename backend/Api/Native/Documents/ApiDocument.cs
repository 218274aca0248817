using System.Collections.Concurrent;
using System.Text.Json.Serialization.Metadata;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.OpenApi;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Api.Native.Documents;

/// <summary>The OpenAPI 3.1 document of <c>/api/v1</c>, built from the routes on request. <c>docs/openapi.json</c> is a copy.</summary>
internal static class ApiDocument
{
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

    public static void MapApiDocument(this IEndpointRouteBuilder routes, string root) =>
        routes.MapOpenApi(root + "/openapi.json").Needs(ApiRights.Read);

    /// <exception cref="InvalidOperationException">Two types would have one schema.</exception>
    private static string? NameOf(JsonTypeInfo info, ConcurrentDictionary<string, Type> names)
    {
        var type = Nullable.GetUnderlyingType(info.Type) ?? info.Type;

        // A stream is raw bytes, so it has no schema.
        if (type == typeof(Stream) || OpenApiOptions.CreateDefaultSchemaReferenceId(info) is not { } name)
            return null;
        name = SchemaNames.Of(type, name);
        var owner = names.GetOrAdd(name, type);
        return owner == type
            ? name : throw new InvalidOperationException($"{owner} and {type} would both have the schema {name}: rename one.");
    }
}

/// <summary>The names of schemas: the schema of a record NameBody is called Name, that of <see cref="JobStatus"/> JobState. Pure.</summary>
internal static class SchemaNames
{
    private const string Suffix = "Body";

    /// <summary>The name of a type's schema.</summary>
    public static string Of(Type type) => Of(type, type.Name);

    /// <summary>The name of a type's schema.</summary>
    /// <param name="type">The type.</param>
    /// <param name="name">Its name, with its type arguments where it has some.</param>
    public static string Of(Type type, string name) =>
        type == typeof(JobStatus) ? "JobState" : type != typeof(ErrorBody) && name.Length > Suffix.Length
            && name.EndsWith(Suffix, StringComparison.Ordinal) ? name[..^Suffix.Length] : name;
}
