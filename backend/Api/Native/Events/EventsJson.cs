using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Api.Native.Events;

/// <summary>How the news of this room are written.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, NumberHandling = JsonNumberHandling.Strict, UseStringEnumConverter = true)]
[JsonSerializable(typeof(HelloBody))]
[JsonSerializable(typeof(JobsEventBody))]
[JsonSerializable(typeof(FilesEventBody))]
internal sealed partial class EventsJson : JsonSerializerContext;
