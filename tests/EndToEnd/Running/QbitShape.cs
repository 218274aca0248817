using System.Text.Json;

namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>Parses JSON as strictly as clients with typed models: a missing member, or one of another type, fails.</summary>
internal static class QbitShape
{
    /// <param name="element">A JSON object.</param>
    /// <param name="members">
    /// Types and names, separated by spaces, as in <c>s:name i:eta</c>. Types: <c>s</c> text, <c>b</c> flag, <c>i</c> 32 bits, <c>l</c> 64
    /// bits, <c>d</c> any number.
    /// </param>
    public static void Assert(JsonElement element, string members)
    {
        foreach (var member in members.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            var name = member[2..];
            Xunit.Assert.True(element.TryGetProperty(name, out var value), $"{name} is missing");
            var fits = member[0] switch
            {
                's' => value.ValueKind == JsonValueKind.String,
                'b' => value.ValueKind is JsonValueKind.True or JsonValueKind.False,
                'i' => value.ValueKind == JsonValueKind.Number && value.TryGetInt32(out _),
                'l' => value.ValueKind == JsonValueKind.Number && value.TryGetInt64(out _),
                'd' => value.ValueKind == JsonValueKind.Number,
                _ => throw new ArgumentException(member, nameof(members)),
            };
            Xunit.Assert.True(fits, $"{name} is {value.GetRawText()}");
        }
    }
}
