using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>Reads and changes the settings of a gateway, with the full key.</summary>
internal sealed class SettingsClient(Gateway gateway, string key = SettingsClient.Key)
{
    public const string Key = "the-full-key-of-it";
    public const string Path = "/api/v1/settings";

    /// <summary>The environment that these calls need.</summary>
    public static readonly IReadOnlyDictionary<string, string?> KeyAlone = new Dictionary<string, string?>(StringComparer.Ordinal)
    {
        ["Api:Key"] = Key,
        ["Torrents:ListenAddress"] = "127.0.0.1",
        ["Torrents:Dht"] = "false",
    };

    /// <summary>The same, and the credentials of the WebDAV client.</summary>
    public static readonly IReadOnlyDictionary<string, string?> KeyAndLogin =
        new Dictionary<string, string?>(KeyAlone, StringComparer.Ordinal)
        { ["WebDav:Username"] = Gateway.User, ["WebDav:Password"] = Gateway.Password };

    /// <summary>Settings that use a mock as an account of the user "me".</summary>
    public static Dictionary<string, object> Account(MockProvider provider, int number, string password) => new(StringComparer.Ordinal)
    {
        [$"Usenet:Providers:{number}:Host"] = "127.0.0.1",
        [$"Usenet:Providers:{number}:Port"] = provider.Port,
        [$"Usenet:Providers:{number}:UseTls"] = false,
        [$"Usenet:Providers:{number}:Username"] = "me",
        [$"Usenet:Providers:{number}:Password"] = password,
        [$"Usenet:Providers:{number}:MaxConnections"] = 4,
    };

    /// <summary>All settings, by path.</summary>
    public async Task<IReadOnlyDictionary<string, JsonElement>> GetAsync()
    {
        var (status, answer) = await SendAsync("GET", Path, body: null);
        Assert.Equal(HttpStatusCode.OK, status);
        return answer.GetProperty("settings").EnumerateArray()
            .ToDictionary(entry => entry.GetProperty("path").GetString()!, StringComparer.Ordinal);
    }

    /// <summary>Applies changes that must be accepted.</summary>
    public async Task ChangeAsync(object changes)
    {
        var (status, answer) = await SendAsync("PATCH", Path, changes);
        Assert.True(status == HttpStatusCode.OK, answer.ToString());
    }

    /// <summary>Tries changes that must be refused.</summary>
    /// <returns>The faults, one line each.</returns>
    public async Task<string[]> RefusedAsync(object changes)
    {
        var (status, answer) = await SendAsync("PATCH", Path, changes);
        Assert.Equal(HttpStatusCode.UnprocessableEntity, status);
        return Faults(answer);
    }

    public static string[] Faults(JsonElement answer) =>
        [.. answer.GetProperty("faults").EnumerateArray()
            .Select(fault => $"{fault.GetProperty("path").GetString()}: {fault.GetProperty("message").GetString()}")];

    /// <summary>A text member of an answer.</summary>
    public static string? Text(JsonElement element, string name) => element.GetProperty(name).GetString();

    public async Task<(HttpStatusCode Status, JsonElement Answer)> SendAsync(string method, string path, object? body)
    {
        using var client = new DavClient(gateway.Root);
        using var response = await client.SendAsync(
            method, path, body is null ? null : JsonContent.Create(body), headers => headers.Add("X-Api-Key", key));
        return (response.StatusCode, JsonDocument.Parse(await response.Content.ReadAsStringAsync()).RootElement);
    }
}
