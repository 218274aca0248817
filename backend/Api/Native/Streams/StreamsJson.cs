using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Api.Native.Streams;

/// <summary>How the bodies of streams are written.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, NumberHandling = JsonNumberHandling.Strict, UseStringEnumConverter = true)]
[JsonSerializable(typeof(StreamListBody))]
[JsonSerializable(typeof(StreamTimelineBody))]
internal sealed partial class StreamsJson : JsonSerializerContext;
