using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Content.Recording;

/// <summary>How lines of recordings are written.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, NumberHandling = JsonNumberHandling.Strict, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull, UnmappedMemberHandling = JsonUnmappedMemberHandling.Skip)]
[JsonSerializable(typeof(RecordedLine))]
internal sealed partial class RecordingJson : JsonSerializerContext;
