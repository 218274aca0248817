using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Catalog;

[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, WriteIndented = true)]
[JsonSerializable(typeof(BackupInfo))]
[JsonSerializable(typeof(RestoreJournal))]
internal sealed partial class BackupJson : JsonSerializerContext;
