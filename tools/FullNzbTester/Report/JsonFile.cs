using System.Text.Json;
using System.Text.Json.Nodes;

namespace NzbDav.FullNzbTester.Report;

/// <summary>Results as indented JSON.</summary>
internal static class JsonFile
{
    private static readonly JsonSerializerOptions Indented = new() { WriteIndented = true };

    public static Task WriteAsync(string path, JsonObject root, CancellationToken cancellationToken) =>
        File.WriteAllTextAsync(path, TextOf(root), cancellationToken);

    public static string TextOf(JsonObject root) => root.ToJsonString(Indented) + "\n";

    public static JsonArray Array(IEnumerable<JsonNode?> items) => new([.. items]);

    public static JsonArray Array(IEnumerable<string> items) => Array(items.Select(item => (JsonNode?)item));

    public static JsonArray Array(IEnumerable<double> items) => Array(items.Select(item => (JsonNode?)item));
}
