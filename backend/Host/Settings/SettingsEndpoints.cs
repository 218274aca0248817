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
        app.MapGet(Path, http => TellAsync(http, book, live)).Needs(ApiRights.Full);
        app.MapMethods(Path, ["PATCH"], http => ChangeAsync(http, book, live)).Needs(ApiRights.Full);
        app.MapGet($"{Path}/export", http => ExportAsync(http, book)).Needs(ApiRights.Full);
        app.MapPut($"{Path}/import", http => ImportAsync(http, book, live)).Needs(ApiRights.Full);
    }

    private static async Task ChangeAsync(HttpContext http, SettingsBook book, LiveSettings live)
    {
        if (await JsonBody.ReadAsync(http, SettingsJson.Default.DictionaryStringJsonElement, MostBytes) is not { } body)
            return;
        var changes = new Dictionary<string, string?>(StringComparer.OrdinalIgnoreCase);
        var faults = new List<SettingFault>();
        foreach (var (path, value) in body)
            Take(changes, faults, path, value);
        await AnswerAsync(http, book, live, async () => faults.Count > 0 ? faults : await book.ChangeAsync(changes, http.RequestAborted));
    }

    private static Task ExportAsync(HttpContext http, SettingsBook book)
    {
        var secrets = http.Request.Query["secrets"] == "true";
        http.Response.Headers.ContentDisposition = "attachment; filename=\"nzbdav-settings.json\"";
        var settings = book.Entries
            .Where(entry => entry.IsSet && entry.Value is not null && (secrets || entry.Kind != SettingKind.Secret))
            .ToDictionary(entry => entry.Path, entry => entry.Value!, StringComparer.Ordinal);
        return JsonReply.WriteAsync(http, StatusCodes.Status200OK, new SettingsExport(Format, settings), SettingsJson.Default.SettingsExport);
    }

    private static async Task ImportAsync(HttpContext http, SettingsBook book, LiveSettings live)
    {
        if (await JsonBody.ReadAsync(http, SettingsJson.Default.DictionaryStringJsonElement, MostBytes) is not { } body)
            return;
        var faults = new List<SettingFault>();
        var settings = new Dictionary<string, string?>(StringComparer.OrdinalIgnoreCase);
        if (!body.TryGetValue("version", out var version) || version.ValueKind != JsonValueKind.Number || !version.TryGetInt32(out var format) || format != Format || !body.TryGetValue("settings", out var values) || values.ValueKind != JsonValueKind.Object)
        {
            faults.Add(new SettingFault("", $"this is no export of settings: it must be an object with \"version\": {Format} and \"settings\"."));
        }
        else
        {
            foreach (var property in values.EnumerateObject())
                Take(settings, faults, property.Name, property.Value);
        }

        var set = settings.Where(pair => !string.IsNullOrEmpty(pair.Value)).ToDictionary(pair => pair.Key, pair => pair.Value!, StringComparer.OrdinalIgnoreCase);
        await AnswerAsync(http, book, live, async () => faults.Count > 0 ? faults : await book.ReplaceAsync(set, http.RequestAborted));
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

    /// <param name="http">The call.</param>
    /// <param name="book">The settings.</param>
    /// <param name="live">Where they are carried out.</param>
    /// <param name="change">What is asked for; gives what is wrong with it.</param>
    private static async Task AnswerAsync(HttpContext http, SettingsBook book, LiveSettings live, Func<Task<IReadOnlyList<SettingFault>>> change)
    {
        try
        {
            if (await change() is { Count: > 0 } faults)
                await JsonReply.WriteAsync(http, StatusCodes.Status422UnprocessableEntity, new SettingsFaults(faults), SettingsJson.Default.SettingsFaults);
            else
                await TellAsync(http, book, live);
        }
        catch (CatalogException e)
        {
            await JsonReply.RefuseAsync(http, StatusCodes.Status503ServiceUnavailable, e.Message);
        }
    }

    private static async Task TellAsync(HttpContext http, SettingsBook book, LiveSettings live) =>
        await JsonReply.WriteAsync(http, StatusCodes.Status200OK, await SettingsAnswer.OfAsync(book, live), SettingsJson.Default.SettingsAnswer);
}
