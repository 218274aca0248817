using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Host.About;

/// <summary>JSON serialization of <c>licences.json</c>.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(List<LicenceBody>))]
internal sealed partial class LicenceJson : JsonSerializerContext;
