using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Host.Arrs;

/// <summary>JSON serialization of *arrs.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, UseStringEnumConverter = true)]
[JsonSerializable(typeof(ArrList))]
[JsonSerializable(typeof(ArrTest))]
[JsonSerializable(typeof(RegisterBody))]
[JsonSerializable(typeof(RegisterAnswer))]
[JsonSerializable(typeof(RepairBody))]
[JsonSerializable(typeof(RepairAnswer))]
internal sealed partial class ArrsJson : JsonSerializerContext;
