using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Host.Guide;

/// <summary>How people are guided.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(PlayBody))]
[JsonSerializable(typeof(SetupProgressBody))]
internal sealed partial class GuideJson : JsonSerializerContext;
