using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Host.Holding;

[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(LibraryAnswer))]
[JsonSerializable(typeof(PathBody))]
[JsonSerializable(typeof(SweepBody))]
internal sealed partial class HoldingJson : JsonSerializerContext;
