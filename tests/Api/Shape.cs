using System.Text.Json;

namespace NzbDav.Api.Tests;

/// <summary>The structure of JSON without its values: <c>{"status":b,"nzo_ids":[s]}</c>, members sorted by name.</summary>
internal static class Shape
{
    public static string Of(JsonElement element) => element.ValueKind switch
    {
        JsonValueKind.Object => "{" + string.Join(',', element.EnumerateObject().OrderBy(member => member.Name, StringComparer.Ordinal)
            .Select(member => $"{member.Name}:{Of(member.Value)}")) + "}",
        JsonValueKind.Array => "[" + string.Join('|', element.EnumerateArray().Select(Of).Distinct(StringComparer.Ordinal)) + "]",
        JsonValueKind.String => "s",
        JsonValueKind.Number => element.TryGetInt64(out _) ? "i" : "f",
        JsonValueKind.True or JsonValueKind.False => "b",
        _ => "null",
    };
}
