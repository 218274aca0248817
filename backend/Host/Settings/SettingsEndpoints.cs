using System.Text.Json;
using NzbDav.Access;
using NzbDav.Catalog;

namespace NzbDav.Host.Settings;

/// <summary>The settings over HTTP: <c>/api/v1/settings</c>, for who has the full key.</summary>
internal static class SettingsEndpoints
{
    private const string Path = "/api/v1/settings";
    private const int MostBytes = 1 << 20;
    private const int Format = 1;

    public static void MapSettings(this WebApplication app)
    {
        var book = app.Services.GetRequiredService<SettingsBook>();
        var live = app.Services.GetRequiredService<LiveSettings>();
        app.MapGet(Path, http => AnswerAsync(http, book, live, [])).Needs(ApiRights.Full);
        app.MapMethods(Path, ["PATCH"], http => ChangeAsync(http, book, live)).Needs(ApiRights.Full);
        app.MapGet($"{Path}/export", http => ExportAsync(http, book)).Needs(ApiRights.Full);
        app.MapPut($"{Path}/import", http => ImportAsync(http, book, live)).Needs(ApiRights.Full);
    }

    private static async Task ChangeAsync(HttpContext http, SettingsBook book, LiveSettings live)
    {
        if (await ReadAsync(http) is not { } body)
            return;
        var changes = new Dictionary<string, string?>(StringComparer.OrdinalIgnoreCase);
        var faults = new List<SettingFault>();
        foreach (var (path, value) in body)
            Take(changes, faults, path, value);
        await AnswerAsync(http, book, live, faults.Count > 0 ? faults : await book.ChangeAsync(changes, http.RequestAborted));
    }

    private static Task ExportAsync(HttpContext http, SettingsBook book)
    {
        var secrets = http.Request.Query["secrets"] == "true";
        http.Response.Headers.ContentDisposition = "attachment; filename=\"nzbdav-settings.json\"";
        var settings = book.Entries
            .Where(entry => entry.IsSet && entry.Value is not null && (secrets || entry.Kind != SettingKind.Secret))
            .ToDictionary(entry => entry.Path, entry => entry.Value!, StringComparer.Ordinal);
        return WriteAsync(http, StatusCodes.Status200OK, new SettingsExport(Format, settings));
    }

    private static async Task ImportAsync(HttpContext http, SettingsBook book, LiveSettings live)
    {
        if (await ReadAsync(http) is not { } body)
            return;
        var faults = new List<SettingFault>();
        var settings = new Dictionary<string, string?>(StringComparer.OrdinalIgnoreCase);
        if (!body.TryGetValue("version", out var version) || !version.TryGetInt32(out var format) || format != Format || !body.TryGetValue("settings", out var values) || values.ValueKind != JsonValueKind.Object)
        {
            faults.Add(new SettingFault("", $"this is no export of settings: it must be an object with \"version\": {Format} and \"settings\"."));
        }
        else
        {
            foreach (var property in values.EnumerateObject())
                Take(settings, faults, property.Name, property.Value);
        }

        var set = settings.Where(pair => !string.IsNullOrEmpty(pair.Value)).ToDictionary(pair => pair.Key, pair => pair.Value!, StringComparer.OrdinalIgnoreCase);
        await AnswerAsync(http, book, live, faults.Count > 0 ? faults : await book.ReplaceAsync(set, http.RequestAborted));
    }

    private static void Take(Dictionary<string, string?> values, List<SettingFault> faults, string path, JsonElement value)
    {
        path = path.Replace("__", ":", StringComparison.Ordinal);
        string? text = null;
        switch (value.ValueKind)
        {
            case JsonValueKind.Null:
                break;
            case JsonValueKind.String:
                text = value.GetString();
                break;
            case JsonValueKind.Number or JsonValueKind.True or JsonValueKind.False:
                text = value.GetRawText();
                break;
            case JsonValueKind.Array when value.EnumerateArray().All(item => item.ValueKind == JsonValueKind.String):
                text = value.GetArrayLength() == 0 ? "none" : string.Join(',', value.EnumerateArray().Select(item => item.GetString()));
                break;
            default:
                faults.Add(new SettingFault(path, "it is neither a text, a number, true, false, null, nor a list of texts."));
                return;
        }

        if (!values.TryAdd(path, text))
            faults.Add(new SettingFault(path, "it is there twice."));
    }

    /// <summary>The object that was sent; null when the request is answered already, because it is none.</summary>
    private static async Task<Dictionary<string, JsonElement>?> ReadAsync(HttpContext http)
    {
        if (http.Request.ContentLength > MostBytes)
        {
            await WriteAsync(http, StatusCodes.Status413PayloadTooLarge, new SettingsFaults([new("", $"it is larger than {MostBytes >> 20} MiB.")]));
            return null;
        }

        try
        {
            if (await JsonSerializer.DeserializeAsync(http.Request.Body, SettingsJson.Default.DictionaryStringJsonElement, http.RequestAborted) is { } body)
                return body;
        }
        catch (JsonException)
        {
            // Told below.
        }

        await WriteAsync(http, StatusCodes.Status400BadRequest, new SettingsFaults([new("", "the body is no JSON object.")]));
        return null;
    }

    private static async Task AnswerAsync(HttpContext http, SettingsBook book, LiveSettings live, IReadOnlyList<SettingFault> faults)
    {
        try
        {
            if (faults.Count > 0)
                await WriteAsync(http, StatusCodes.Status422UnprocessableEntity, new SettingsFaults(faults));
            else
                await WriteAsync(http, StatusCodes.Status200OK, await SettingsAnswer.OfAsync(book, live));
        }
        catch (CatalogException e)
        {
            await WriteAsync(http, StatusCodes.Status503ServiceUnavailable, new SettingsFaults([new("", e.Message)]));
        }
    }

    private static Task WriteAsync<T>(HttpContext http, int status, T answer)
    {
        http.Response.StatusCode = status;
        http.Response.Headers.CacheControl = "no-store";
        return http.Response.WriteAsJsonAsync(answer, SettingsJson.Default.GetTypeInfo(typeof(T))!, contentType: null, http.RequestAborted);
    }
}
