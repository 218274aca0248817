using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Api.Native.Streams;

/// <summary>JSON serialization of streams.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, NumberHandling = JsonNumberHandling.Strict, UseStringEnumConverter = true)]
[JsonSerializable(typeof(StreamListBody))]
[JsonSerializable(typeof(StreamTimelineBody))]
internal sealed partial class StreamsJson : JsonSerializerContext;
