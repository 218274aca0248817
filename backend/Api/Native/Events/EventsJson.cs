using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Api.Native.Events;

/// <summary>JSON serialization of the events of this project.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, NumberHandling = JsonNumberHandling.Strict, UseStringEnumConverter = true)]
[JsonSerializable(typeof(HelloBody))]
[JsonSerializable(typeof(JobsEventBody))]
[JsonSerializable(typeof(FilesEventBody))]
internal sealed partial class EventsJson : JsonSerializerContext;
