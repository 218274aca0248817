using System.Text.Json.Serialization;

namespace NzbDav.Host.Moving;

/// <summary>JSON serialization of the report of a migration.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, WriteIndented = true, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(MoveBody))]
internal sealed partial class MoveJson : JsonSerializerContext;
