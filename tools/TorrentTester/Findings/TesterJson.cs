using System.Text.Json.Serialization;

namespace NzbDav.TorrentTester.Findings;

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, WriteIndented = true)]
[JsonSerializable(typeof(List<Figure>))]
internal sealed partial class TesterJson : JsonSerializerContext;
