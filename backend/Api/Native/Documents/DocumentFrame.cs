using Microsoft.AspNetCore.OpenApi;
using Microsoft.OpenApi;

namespace NzbDav.Api.Native.Documents;

/// <summary>The document's title and description, and its authentication schemes. Every field of a response is always present.</summary>
internal sealed class DocumentFrame(IEnumerable<IDocumentedType> types) : IOpenApiDocumentTransformer
{
    public const string Key = "key";
    public const string Bearer = "bearer";
    public const string Session = "session";
    public const string Csrf = "csrf";

    public async Task TransformAsync(
        OpenApiDocument document, OpenApiDocumentTransformerContext context, CancellationToken cancellationToken)
    {
        document.Info = new OpenApiInfo
        {
            Title = "NzbDav",
            Version = "1",
            Description =
                "The native API of NzbDav. Ids are decimal strings, times ISO 8601 in UTC, sizes bytes, rates bytes per second, " +
                "durations seconds, shares 0 to 1; what is unknown is null. "
                + "x-rights names the rights that a caller needs: read, add, change, manage; open routes need none.",
        };

        // The document does not know by which address and URL base its reader reaches the server.
        document.Servers = [];
        var schemes = (document.Components ??= new OpenApiComponents()).SecuritySchemes ??= new Dictionary<string, IOpenApiSecurityScheme>(
            StringComparer.Ordinal);
        schemes[Key] = new OpenApiSecurityScheme
        { Type = SecuritySchemeType.ApiKey, In = ParameterLocation.Header, Name = "X-Api-Key", Description = "An API key." };
        schemes[Bearer] = new OpenApiSecurityScheme
        { Type = SecuritySchemeType.Http, Scheme = "bearer", Description = "An API key as a bearer token." };
        schemes[Session] = new OpenApiSecurityScheme
        {
            Type = SecuritySchemeType.ApiKey,
            In = ParameterLocation.Cookie,
            Name = "nzbdav.session",
            Description = "The cookie of a session: POST /api/v1/session."
        };
        schemes[Csrf] = new OpenApiSecurityScheme
        {
            Type = SecuritySchemeType.ApiKey,
            In = ParameterLocation.Header,
            Name = "X-CSRF-Token",
            Description = "Beside the cookie, with everything that changes something: csrfToken of GET /api/v1/session."
        };
        foreach (var type in types.DistinctBy(type => type.Type).OrderBy(type => SchemaNames.Of(type.Type), StringComparer.Ordinal))
            document.AddComponent(
                SchemaNames.Of(type.Type), await context.GetOrCreateSchemaAsync(type.Type, cancellationToken: cancellationToken));
        var tags = document.Paths.Values.SelectMany(path => path.Operations ?? [])
            .SelectMany(pair => pair.Value.Tags ?? new HashSet<OpenApiTagReference>()).Select(tag => tag.Reference.Id!);
        document.Tags = tags.Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal).Select(name => new OpenApiTag { Name = name })
            .ToHashSet();
        AnswerFields.Require(document);
        JoinLines(document);
    }

    /// <summary>Joins the lines of descriptions: they break where the comment in the source does.</summary>
    private static void JoinLines(OpenApiDocument document)
    {
        var open = new Stack<IOpenApiSchema>(document.Components?.Schemas?.Values ?? []);
        while (open.TryPop(out var schema))
        {
            // The description of a reference is that of its target, unless it has its own.
            if (schema is OpenApiSchemaReference reference)
            {
                if (reference.Reference.Description is { } own)
                    reference.Reference.Description = OneLine(own);
                continue;
            }

            if (schema.Description is { } text)
                schema.Description = OneLine(text);
            foreach (var child in AnswerFields.Children(schema).OfType<IOpenApiSchema>())
                open.Push(child);
        }
    }

    private static string OneLine(string text) => string.Join(' ', text.Split('\n', StringSplitOptions.TrimEntries));
}

/// <summary>A type that the API document describes although no route returns it.</summary>
internal interface IDocumentedType
{
    /// <summary>The type that is serialized as JSON.</summary>
    Type Type { get; }
}
