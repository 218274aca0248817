using System.Net;
using System.Text.Json;

namespace NzbDav.Access.Tests.Running;

/// <summary>A response.</summary>
internal sealed record Answer(HttpStatusCode Status, string Text, IReadOnlyDictionary<string, string[]> Headers)
{
    public JsonElement Json => JsonDocument.Parse(Text).RootElement;

    public string[] SetCookies => Headers.GetValueOrDefault("Set-Cookie", []);

    public string? Header(string name) => Headers.TryGetValue(name, out var values) ? string.Join(", ", values) : null;

    /// <summary>The Set-Cookie line of a cookie; null if there is none.</summary>
    public string? SetCookie(string name) => Array.Find(SetCookies, line => line.StartsWith(name + "=", StringComparison.Ordinal));
}
