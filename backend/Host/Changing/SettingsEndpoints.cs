using System.Text.Json;
using System.Text.Json.Serialization;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;
using NzbDav.Access.Sessions;
using NzbDav.Api.Native.Events;
using NzbDav.Catalog.Database;
using NzbDav.Host.Settings;

namespace NzbDav.Host.Changing;

/// <summary>The settings over HTTP: <c>/api/v1/settings</c>, for administrators.</summary>
internal static class SettingsEndpoints
{
    private const string Path = "/api/v1/settings";
    private const int MostBytes = 1 << 20;
    private const int Format = 1;
    private const string Confirm = "confirm";

    public static void MapSettings(this IEndpointRouteBuilder routes)
    {
        routes.MapGet(Path, ShowAsync).Needs(ApiRights.Manage).WithName("getSettings").WithTags("settings").Produces<SettingsBody>();
        routes.MapPatch(Path, ChangeAsync).Needs(ApiRights.Manage).WithName("changeSettings").WithTags("settings")
            .AcceptsJson<IDictionary<string, JsonElement>>().Produces<SettingsBody>()
                .Produces<FaultsBody>(StatusCodes.Status422UnprocessableEntity);
        routes.MapGet($"{Path}/export", ShowExportAsync).Needs(ApiRights.Manage).WithName("getSettingsExport").WithTags("settings")
            .Produces<SettingsExportBody>();
        routes.MapPost($"{Path}/export", ExportAsync).Needs(ApiRights.Manage).WithName("exportSettings").WithTags("settings")
            .AcceptsJson<ExportAskBody>().Produces<SettingsExportBody>();
        routes.MapPut($"{Path}/import", ImportAsync).Needs(ApiRights.Manage).WithName("importSettings").WithTags("settings")
            .AcceptsJson<SettingsImportBody>().Produces<SettingsBody>().Produces<FaultsBody>(StatusCodes.Status422UnprocessableEntity);
    }

    /// <summary>
    /// Changes the settings given by their paths. An additional field <c>confirm</c>, a <see cref="ConfirmBody"/>, allows saved secrets to
    /// be sent to new addresses.
    /// </summary>
    private static async Task ChangeAsync(HttpContext http, SettingsBook book, LiveSettings live, PasswordAgain again)
    {
        if (await JsonBody.ReadAsync(http, SettingsJson.Default.DictionaryStringJsonElement, MostBytes) is not { } body
            || await ConfirmAsync(http, body, again) is not { } confirmed)
            return;
        var changes = new Dictionary<string, string?>(StringComparer.OrdinalIgnoreCase);
        var faults = new List<SettingFault>();
        foreach (var (path, value) in body)
            AddValue(changes, faults, path, value);
        await AnswerAsync(
            http, book, live, async () => faults.Count > 0 ? faults : await book.ChangeAsync(changes, confirmed, http.RequestAborted));
    }

    private static async Task ShowExportAsync(HttpContext http, SettingsBook book, bool secrets = false)
    {
        // The full key gives the same access anyway, but an unattended browser must not reveal secrets.
        if (secrets && Caller.Of(http).Kind != CallerKind.Key)
            await JsonReply.RefuseAsync(
                http, StatusCodes.Status403Forbidden, $"Passwords and keys are exported by POST {Path}/export, with your password.");
        else
            await WriteExportAsync(http, book, secrets);
    }

    private static async Task ExportAsync(HttpContext http, SettingsBook book, PasswordAgain again)
    {
        if (await JsonBody.ReadAsync(http, SettingsJson.Default.ExportAskBody) is not { } body)
            return;
        if (body.Secrets && await again.RefuseAsync(http, body.Username, body.Password) is { } refusal)
            await refusal.ExecuteAsync(http);
        else
            await WriteExportAsync(http, book, body.Secrets);
    }

    private static Task WriteExportAsync(HttpContext http, SettingsBook book, bool secrets)
    {
        http.Response.Headers.ContentDisposition = "attachment; filename=\"nzbdav-settings.json\"";
        var settings = book.Entries
            .Where(entry => entry.IsSet && entry.Value is not null && (secrets || entry.Kind != SettingKind.Secret))
            .ToDictionary(entry => entry.Path, entry => entry.Value!, StringComparer.Ordinal);
        return JsonReply.WriteAsync(
            http, StatusCodes.Status200OK, new SettingsExportBody(Format, settings), SettingsJson.Default.SettingsExportBody);
    }

    private static async Task ImportAsync(HttpContext http, SettingsBook book, LiveSettings live, PasswordAgain again)
    {
        if (await JsonBody.ReadAsync(http, SettingsJson.Default.DictionaryStringJsonElement, MostBytes) is not { } body
            || await ConfirmAsync(http, body, again) is not { } confirmed)
            return;
        var faults = new List<SettingFault>();
        var settings = new Dictionary<string, string?>(StringComparer.OrdinalIgnoreCase);
        if (!body.TryGetValue("version", out var version) || version.ValueKind != JsonValueKind.Number
            || !version.TryGetInt32(out var format) || format != Format || !body.TryGetValue("settings", out var values)
            || values.ValueKind != JsonValueKind.Object)
        {
            faults.Add(new SettingFault(
                "", $"this is not an export of settings: it must be an object with \"version\": {Format} and \"settings\"."));
        }
        else
        {
            foreach (var property in values.EnumerateObject())
                AddValue(settings, faults, property.Name, property.Value);
        }

        var set = settings.Where(pair => !string.IsNullOrEmpty(pair.Value))
            .ToDictionary(pair => pair.Key, pair => pair.Value!, StringComparer.OrdinalIgnoreCase);
        await AnswerAsync(
            http, book, live, async () => faults.Count > 0 ? faults : await book.ReplaceAsync(set, confirmed, http.RequestAborted));
    }

    /// <summary>Removes the confirmation from a body and checks it.</summary>
    /// <returns>True if saved secrets may be sent to new addresses; null if the confirmation is wrong: the request has been
    /// answered.</returns>
    private static async ValueTask<bool?> ConfirmAsync(HttpContext http, Dictionary<string, JsonElement> body, PasswordAgain again)
    {
        // A caller with the full key may read the secrets anyway.
        if (!body.Remove(Confirm, out var element) || element.ValueKind == JsonValueKind.Null)
            return Caller.Of(http).Kind == CallerKind.Key;
        if (Read(element) is not { } confirm)
        {
            await JsonReply.RefuseAsync(http, StatusCodes.Status400BadRequest, $"\"{Confirm}\" is not like {{\"password\": \"…\"}}.");
            return null;
        }

        if (await again.RefuseAsync(http, confirm.Username, confirm.Password) is not { } refusal)
            return true;
        await refusal.ExecuteAsync(http);
        return null;
    }

    private static ConfirmBody? Read(JsonElement element)
    {
        try
        {
            return element.Deserialize(SettingsJson.Default.ConfirmBody);
        }
        catch (JsonException)
        {
            return null;
        }
    }

    private static void AddValue(Dictionary<string, string?> values, List<SettingFault> faults, string path, JsonElement value)
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
                faults.Add(new SettingFault(path, "it is not a text, a number, true, false, null or a list of texts."));
                return;
        }

        if (!values.TryAdd(path, text))
            faults.Add(new SettingFault(path, "it is given twice."));
    }

    /// <param name="http">The call.</param>
    /// <param name="book">The settings.</param>
    /// <param name="live">Applies the settings.</param>
    /// <param name="change">Makes the requested change, and returns its faults.</param>
    private static async Task AnswerAsync(
        HttpContext http, SettingsBook book, LiveSettings live, Func<Task<IReadOnlyList<SettingFault>>> change)
    {
        try
        {
            if (await change() is { Count: > 0 } faults)
                await JsonReply.WriteAsync(
                    http, StatusCodes.Status422UnprocessableEntity, new FaultsBody(faults), SettingsJson.Default.FaultsBody);
            else
                await ShowAsync(http, book, live);
        }
        catch (CatalogException e)
        {
            await JsonReply.RefuseAsync(http, StatusCodes.Status503ServiceUnavailable, e.Message);
        }
    }

    private static async Task ShowAsync(HttpContext http, SettingsBook book, LiveSettings live) =>
        await JsonReply.WriteAsync(
            http, StatusCodes.Status200OK, await SettingsBody.OfAsync(book, live), SettingsJson.Default.SettingsBody);
}

/// <summary>
/// The caller's own password, entered again: it allows saved secrets to be sent to new addresses. Not needed with the full API key.
/// </summary>
internal sealed record ConfirmBody
{
    /// <summary>The caller's own password.</summary>
    public string? Password { get; init; }

    /// <summary>For callers who did not sign in with a password: the administrator whose password it is.</summary>
    public string? Username { get; init; }
}

/// <summary>Why settings were not changed.</summary>
/// <param name="Faults">All faults that were found.</param>
internal sealed record FaultsBody(IReadOnlyList<SettingFault> Faults);

/// <summary>Requests an export of all settings as one file.</summary>
internal sealed record ExportAskBody
{
    /// <summary>True to include passwords and keys.</summary>
    public bool Secrets { get; init; }

    /// <summary>The caller's own password, entered again; needed to include secrets.</summary>
    public string? Password { get; init; }

    /// <summary>For callers who did not sign in with a password: the administrator whose password it is.</summary>
    public string? Username { get; init; }
}

/// <summary>Settings as one file.</summary>
/// <param name="Version">Version of the format: 1.</param>
/// <param name="Settings">The settings that are set, by path.</param>
internal sealed record SettingsExportBody(int Version, IReadOnlyDictionary<string, string> Settings);

/// <summary>Settings that replace the stored ones.</summary>
/// <param name="Version">Version of the format: 1.</param>
/// <param name="Settings">The settings that are set, by path.</param>
/// <param name="Confirm">Needed if the file changes the address of a saved secret without containing the secret.</param>
internal sealed record SettingsImportBody(int Version, IReadOnlyDictionary<string, string> Settings, ConfirmBody? Confirm = null);

/// <summary>Notifies pages that settings changed. Thread-safe.</summary>
internal sealed class SettingsTopic : StateTopic<SettingsEventBody>, IDisposable
{
    private readonly SettingsBook _book;

    public SettingsTopic(SettingsBook book)
        : base("settings", TimeSpan.FromMilliseconds(250))
    {
        _book = book;
        book.Changed += OnChanged;
    }

    public void Dispose() => _book.Changed -= OnChanged;

    protected override SettingsEventBody Snapshot() => new();

    private void OnChanged(NzbDavSettings settings) => Note();
}

/// <summary>Data of the event "settings": the settings changed and have to be read again.</summary>
internal sealed record SettingsEventBody;

/// <summary>JSON serialization of settings.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, WriteIndented = true,
    Converters = [typeof(CamelCaseEnum<SettingKind>), typeof(CamelCaseEnum<SettingSource>)])]
[JsonSerializable(typeof(ConfirmBody))]
[JsonSerializable(typeof(ExportAskBody))]
[JsonSerializable(typeof(FaultsBody))]
[JsonSerializable(typeof(SettingsBody))]
[JsonSerializable(typeof(SettingsEventBody))]
[JsonSerializable(typeof(SettingsExportBody))]
[JsonSerializable(typeof(SettingsImportBody))]
[JsonSerializable(typeof(Dictionary<string, JsonElement>))]
internal sealed partial class SettingsJson : JsonSerializerContext;
