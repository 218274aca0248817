using System.Text.Json;
using System.Text.Json.Serialization;
using NzbDav.Access.Replies;
using NzbDav.Host.Logging;

namespace NzbDav.Host.Operations;

[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, Converters = [typeof(CamelCaseEnum<LogLineLevel>)])]
[JsonSerializable(typeof(BackupBody))]
[JsonSerializable(typeof(BackupListBody))]
[JsonSerializable(typeof(LogEventBody))]
[JsonSerializable(typeof(LogLevelsBody))]
[JsonSerializable(typeof(LogPageBody))]
[JsonSerializable(typeof(RestoreStateBody))]
internal sealed partial class OperationJson : JsonSerializerContext;
