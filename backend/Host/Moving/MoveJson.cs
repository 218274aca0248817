using System.Text.Json.Serialization;

namespace NzbDav.Host.Moving;

/// <summary>The report of a move as JSON.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, WriteIndented = true, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(MoveBody))]
internal sealed partial class MoveJson : JsonSerializerContext;
