using System.Text.Json;
using System.Text.Json.Serialization;
using NzbDav.Catalog;

namespace NzbDav.Host.Operations;

[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, UseStringEnumConverter = true, WriteIndented = true, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(BackupList))]
[JsonSerializable(typeof(BackupInfo))]
[JsonSerializable(typeof(LogReport))]
[JsonSerializable(typeof(ShownSetting[]))]
[JsonSerializable(typeof(SupportVersions))]
[JsonSerializable(typeof(SupportJobs))]
[JsonSerializable(typeof(Telemetry.StreamTrace[]))]
[JsonSerializable(typeof(Health.ReadyReport))]
internal sealed partial class OperationJson : JsonSerializerContext;
