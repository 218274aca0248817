using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Access;

/// <summary>How refusals are written.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(ErrorBody))]
internal sealed partial class ReplyJson : JsonSerializerContext;
