using System.Net;
using System.Net.Http.Json;
using System.Text.Json;

namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>Asks a gateway for its settings and changes them, with the full key.</summary>
internal sealed class SettingsClient(Gateway gateway, string key = SettingsClient.Key)
{
    public const string Key = "the-full-key-of-it";
    public const string Path = "/api/v1/settings";

    /// <summary>What an environment has to say for these calls.</summary>
    public static readonly IReadOnlyDictionary<string, string?> KeyAlone = new Dictionary<string, string?>(StringComparer.Ordinal)
    {
        ["Api:Key"] = Key,
        ["Torrents:ListenAddress"] = "127.0.0.1",
        ["Torrents:Dht"] = "false",
    };

    /// <summary>The same, and the credentials of the WebDAV client.</summary>
    public static readonly IReadOnlyDictionary<string, string?> KeyAndLogin =
        new Dictionary<string, string?>(KeyAlone, StringComparer.Ordinal) { ["WebDav:Username"] = Gateway.User, ["WebDav:Password"] = Gateway.Password };

    /// <summary>All as they are, by path.</summary>
    public async Task<IReadOnlyDictionary<string, JsonElement>> GetAsync()
    {
        var (status, answer) = await SendAsync("GET", Path, body: null);
        Assert.Equal(HttpStatusCode.OK, status);
        return answer.GetProperty("settings").EnumerateArray().ToDictionary(entry => entry.GetProperty("path").GetString()!, StringComparer.Ordinal);
    }

    /// <summary>Changes what is named; it must be taken.</summary>
    public async Task ChangeAsync(object changes)
    {
        var (status, answer) = await SendAsync("PATCH", Path, changes);
        Assert.True(status == HttpStatusCode.OK, answer.ToString());
    }

    /// <summary>Tries to change; it must be refused.</summary>
    /// <returns>What is wrong, a line for each.</returns>
    public async Task<string[]> RefusedAsync(object changes)
    {
        var (status, answer) = await SendAsync("PATCH", Path, changes);
        Assert.Equal(HttpStatusCode.UnprocessableEntity, status);
        return Faults(answer);
    }

    public static string[] Faults(JsonElement answer) =>
        [.. answer.GetProperty("faults").EnumerateArray().Select(fault => $"{fault.GetProperty("path").GetString()}: {fault.GetProperty("message").GetString()}")];

    /// <summary>A text of an answer.</summary>
    public static string? Text(JsonElement element, string name) => element.GetProperty(name).GetString();

    public async Task<(HttpStatusCode Status, JsonElement Answer)> SendAsync(string method, string path, object? body)
    {
        using var client = new DavClient(gateway.Root);
        using var response = await client.SendAsync(method, path, body is null ? null : JsonContent.Create(body), headers => headers.Add("X-Api-Key", key));
        return (response.StatusCode, JsonDocument.Parse(await response.Content.ReadAsStringAsync()).RootElement);
    }
}
