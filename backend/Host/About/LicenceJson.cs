using System.Text.Json;
using System.Text.Json.Serialization;

namespace NzbDav.Host.About;

/// <summary>How <c>licences.json</c> is read.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(List<LicenceBody>))]
internal sealed partial class LicenceJson : JsonSerializerContext;
