using System.Text.Json.Nodes;

namespace NzbDav.Arr.Tests;

/// <summary>A received request.</summary>
/// <param name="Line">Method, path below the API, query.</param>
/// <param name="Body">Its JSON, or null.</param>
internal sealed record FakeRequest(string Line, JsonNode? Body);
