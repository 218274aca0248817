using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Host.Guide;

/// <summary>JSON serialization of the guide.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(PlayBody))]
[JsonSerializable(typeof(SetupProgressBody))]
internal sealed partial class GuideJson : JsonSerializerContext;
