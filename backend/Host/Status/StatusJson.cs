using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Host.Status;

/// <summary>JSON serialization of the server's state.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, NumberHandling = JsonNumberHandling.Strict, UseStringEnumConverter = true)]
[JsonSerializable(typeof(StatusBody))]
[JsonSerializable(typeof(SeriesBody))]
internal sealed partial class StatusJson : JsonSerializerContext;
