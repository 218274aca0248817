using System.Text.Json;
using System.Text.Json.Serialization;
using NzbDav.Access.Keys;
using NzbDav.Access.Replies;

namespace NzbDav.Access.Secrets;

/// <summary>How keys are written.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, Converters = [typeof(CamelCaseEnum<KeyName>)])]
[JsonSerializable(typeof(KeyAskBody))]
[JsonSerializable(typeof(KeyBody))]
internal sealed partial class KeyJson : JsonSerializerContext;
