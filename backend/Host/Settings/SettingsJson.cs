using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Host.Settings;

/// <summary>How settings are written.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, UseStringEnumConverter = true, WriteIndented = true)]
[JsonSerializable(typeof(SettingsAnswer))]
[JsonSerializable(typeof(SettingsExport))]
[JsonSerializable(typeof(SettingsFaults))]
[JsonSerializable(typeof(Dictionary<string, JsonElement>))]
internal sealed partial class SettingsJson : JsonSerializerContext;
