using System.Text.Json.Nodes;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Metadata;
using Microsoft.AspNetCore.OpenApi;
using Microsoft.OpenApi;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;

namespace NzbDav.Api.Native.Documents;

/// <summary>Documents the rights that each operation needs and the refusals that follow. An operation without a tag gets the first word of
/// its path as its tag.</summary>
internal sealed class OperationRights : IOpenApiOperationTransformer
{
    private static readonly ApiRights[] Rights = [ApiRights.Read, ApiRights.Add, ApiRights.Change, ApiRights.Manage];

    public async Task TransformAsync(
        OpenApiOperation operation, OpenApiOperationTransformerContext context, CancellationToken cancellationToken)
    {
        if (AccessRules.RightsOf(context.Description.ActionDescriptor.EndpointMetadata) is not { } needed
            || context.Document is not { } document)
            return;
        if (!context.Description.ActionDescriptor.EndpointMetadata.OfType<ITagsMetadata>().Any())
            operation.Tags = new HashSet<OpenApiTagReference> { new(context.Description.RelativePath!.Split('/')[2], document) };
        var names = Rights.Where(right => needed.HasFlag(right))
            .Select(right => (JsonNode)JsonValue.Create(right.ToString().ToLowerInvariant())).ToArray();
        operation.AddExtension("x-rights", new JsonNodeExtension(new JsonArray(names)));
        var isSafe = context.Description.HttpMethod is "GET" or "HEAD";
        await RefuseAsync(
            StatusCodes.Status403Forbidden, isSafe
            ? "The caller lacks the rights for this."
            : "The caller lacks the rights for this, or the token against forged requests is missing.");
        if (needed == ApiRights.None)
            return;
        await RefuseAsync(StatusCodes.Status401Unauthorized, "Nobody is signed in, or the API key is wrong.");
        await RefuseAsync(StatusCodes.Status429TooManyRequests, "Too many wrong keys came from this address.");
        var session = new OpenApiSecurityRequirement { [new OpenApiSecuritySchemeReference(DocumentFrame.Session, document)] = [] };
        if (!isSafe)
            session[new OpenApiSecuritySchemeReference(DocumentFrame.Csrf, document)] = [];
        operation.Security =
        [
            new OpenApiSecurityRequirement { [new OpenApiSecuritySchemeReference(DocumentFrame.Key, document)] = [] },
            new OpenApiSecurityRequirement { [new OpenApiSecuritySchemeReference(DocumentFrame.Bearer, document)] = [] },
            session,
        ];

        async Task RefuseAsync(int status, string description)
        {
            var key = status.ToString(System.Globalization.CultureInfo.InvariantCulture);
            if ((operation.Responses ??= []).ContainsKey(key) || (needed == ApiRights.None && isSafe))
                return;
            var schema = await context.GetOrCreateSchemaAsync(typeof(ErrorBody), cancellationToken: cancellationToken);
            document.AddComponent(nameof(ErrorBody), schema);
            operation.Responses[key] = new OpenApiResponse
            {
                Description = description,
                Content = new Dictionary<string, OpenApiMediaType>(StringComparer.Ordinal)
                { ["application/json"] = new() { Schema = new OpenApiSchemaReference(nameof(ErrorBody), document) } },
            };
        }
    }
}
