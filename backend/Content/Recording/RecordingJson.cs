using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Content.Recording;

/// <summary>JSON settings for the lines of recordings.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, NumberHandling = JsonNumberHandling.Strict, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull, UnmappedMemberHandling = JsonUnmappedMemberHandling.Skip)]
[JsonSerializable(typeof(RecordedLine))]
internal sealed partial class RecordingJson : JsonSerializerContext;
