using System.Text.Json;
using System.Text.Json.Serialization;
using NzbDav.Access.Replies;
using NzbDav.Host.Settings;

namespace NzbDav.Host.Changing;

/// <summary>JSON serialization of settings.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, WriteIndented = true, Converters = [typeof(CamelCaseEnum<SettingKind>), typeof(CamelCaseEnum<SettingSource>)])]
[JsonSerializable(typeof(ConfirmBody))]
[JsonSerializable(typeof(ExportAskBody))]
[JsonSerializable(typeof(FaultsBody))]
[JsonSerializable(typeof(SettingsBody))]
[JsonSerializable(typeof(SettingsEventBody))]
[JsonSerializable(typeof(SettingsExportBody))]
[JsonSerializable(typeof(SettingsImportBody))]
[JsonSerializable(typeof(Dictionary<string, JsonElement>))]
internal sealed partial class SettingsJson : JsonSerializerContext;
