using System.Net;
using System.Text.Json;
using System.Xml.Linq;
using NzbDav.EndToEnd.Tests.Running;

namespace NzbDav.EndToEnd.Tests.Api;

/// <summary>Calls of programs that were written for nzbdav.</summary>
internal static class AddOnCalls
{
    private static readonly XNamespace Dav = "DAV:";

    /// <summary>A text of a slot.</summary>
    public static string Text(JsonElement slot, string name) => slot.GetProperty(name).GetString()!;

    public static async Task<HttpStatusCode> HeadAsync(Gateway gateway, string path)
    {
        using var response = await gateway.Client.SendAsync("HEAD", path);
        return response.StatusCode;
    }

    /// <param name="gateway">The server.</param>
    /// <param name="query">The call.</param>
    /// <param name="form">What is posted; null: GET.</param>
    /// <param name="login">Sends the login of WebDAV, too, as programs do that have it in their one address.</param>
    public static async Task<JsonElement> AskAsync(Gateway gateway, string query, HttpContent? form = null, bool login = false)
    {
        using var http = new HttpClient { BaseAddress = new Uri(gateway.Root), Timeout = Deadline.Long };
        var key = await File.ReadAllTextAsync(Path.Combine(gateway.ConfigFolder, "keys", "api"));
        if (login)
            http.DefaultRequestHeaders.Authorization = DavClient.Basic(Gateway.User, Gateway.Password);
        else
            http.DefaultRequestHeaders.Add("x-api-key", key);
        var address = $"/api?{query}&apikey={key}&output=json";
        using var response = form is null ? await http.GetAsync(address) : await http.PostAsync(address, form);
        return JsonDocument.Parse(await response.Content.ReadAsStringAsync()).RootElement.Clone();
    }

    public static async Task<HttpStatusCode> StatAsync(Gateway gateway, string path)
    {
        using var response = await gateway.Client.SendAsync("PROPFIND", path, headers: headers =>
        {
            headers.Add("Accept", "text/plain,application/xml");
            headers.Add("Depth", "0");
        });
        return response.StatusCode;
    }

    public static async Task<List<string>> HrefsAsync(Gateway gateway, string path, string depth)
    {
        using var response = await gateway.Client.SendAsync("PROPFIND", path, headers: headers => headers.Add("Depth", depth));
        Assert.Equal(HttpStatusCode.MultiStatus, response.StatusCode);
        var xml = XDocument.Parse(await response.Content.ReadAsStringAsync());
        return [.. xml.Descendants(Dav + "href").Select(href => href.Value)];
    }

    /// <summary>
    /// The files, after the library "webdav" has left out the folder itself: the entry that is called as it was asked for.
    /// </summary>
    public static async Task<List<string>> ListAsync(Gateway gateway, string path, string depth)
    {
        var own = Uri.UnescapeDataString(path).TrimEnd('/');
        return [.. (await HrefsAsync(gateway, path, depth)).Where(href => Uri.UnescapeDataString(href).TrimEnd('/') != own)];
    }
}
