using Microsoft.OpenApi;

namespace NzbDav.Api.Native.Documents;

/// <summary>
/// Marks every field of a response as required: an unknown value is null, not left out. Fields of requests may be left out.
/// </summary>
internal static class AnswerFields
{
    public static void Require(OpenApiDocument document)
    {
        var open = new Stack<IOpenApiSchema>();
        var asked = new HashSet<string>(StringComparer.Ordinal);
        foreach (var operation in Operations(document))
        {
            foreach (var media in operation.RequestBody?.Content?.Values ?? [])
                Push(open, media.Schema);
        }

        // Types used only in requests keep their optional fields.
        while (open.TryPop(out var schema))
        {
            if (schema is not OpenApiSchemaReference { Reference.Id: { } id } || asked.Add(id))
                Children(schema).ForEach(child => Push(open, child));
        }

        foreach (var operation in Operations(document))
        {
            foreach (var media in (operation.Responses ?? []).SelectMany(pair => pair.Value.Content?.Values ?? []))
                Push(open, media.Schema);
        }

        var answered = new HashSet<string>(StringComparer.Ordinal);
        while (open.TryPop(out var schema))
        {
            if (schema is not OpenApiSchemaReference { Reference.Id: { } id } || answered.Add(id))
                Children(schema).ForEach(child => Push(open, child));
        }

        foreach (var (name, schema) in document.Components?.Schemas ?? new Dictionary<string, IOpenApiSchema>(StringComparer.Ordinal))
        {
            if ((answered.Contains(name) || !asked.Contains(name)) && schema is OpenApiSchema { Properties.Count: > 0 } own)
                own.Required = new HashSet<string>(own.Properties.Keys, StringComparer.Ordinal);
        }
    }

    private static IEnumerable<OpenApiOperation> Operations(OpenApiDocument document) =>
        document.Paths.Values.SelectMany(path => path.Operations ?? []).Select(pair => pair.Value);

    /// <summary>The schemas that a schema is made of; null where it has none.</summary>
    internal static List<IOpenApiSchema?> Children(IOpenApiSchema schema) =>
        [.. schema.Properties?.Values ?? [], schema.Items, schema.AdditionalProperties, .. schema.OneOf ?? [], .. schema.AnyOf ?? [],
            .. schema.AllOf ?? []];

    private static void Push(Stack<IOpenApiSchema> open, IOpenApiSchema? schema)
    {
        if (schema is not null)
            open.Push(schema);
    }
}
