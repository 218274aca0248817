using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Access.Replies;

/// <summary>How refusals are written.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(ErrorBody))]
internal sealed partial class ReplyJson : JsonSerializerContext;
