using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Host.Operations;

/// <summary>JSON serialization of the files in a support bundle.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, UseStringEnumConverter = true, WriteIndented = true, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(ShownSetting[]))]
[JsonSerializable(typeof(SupportVersions))]
[JsonSerializable(typeof(SupportJobs))]
[JsonSerializable(typeof(Telemetry.StreamTrace[]))]
[JsonSerializable(typeof(Health.ReadyReport))]
internal sealed partial class SupportJson : JsonSerializerContext;
