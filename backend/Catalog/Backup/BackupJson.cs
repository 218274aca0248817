using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Catalog.Backup;

[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, WriteIndented = true)]
[JsonSerializable(typeof(BackupInfo))]
[JsonSerializable(typeof(PendingRestore))]
[JsonSerializable(typeof(RestoreJournal))]
[JsonSerializable(typeof(RestoreOutcome))]
internal sealed partial class BackupJson : JsonSerializerContext;
