using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Access;

/// <summary>How keys are written.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, Converters = [typeof(CamelCaseEnum<KeyName>)])]
[JsonSerializable(typeof(KeyAskBody))]
[JsonSerializable(typeof(KeyBody))]
internal sealed partial class KeyJson : JsonSerializerContext;
