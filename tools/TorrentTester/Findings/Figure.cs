using System.Globalization;
using System.Text.Json.Serialization;

namespace NzbDav.TorrentTester.Findings;

/// <summary>One measured number.</summary>
/// <param name="Stage">The stage.</param>
/// <param name="Name">What was measured.</param>
/// <param name="Value">The number.</param>
/// <param name="Unit">Its unit.</param>
internal sealed record Figure(string Stage, string Name, double Value, string Unit)
{
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Stage,-34} {Name,-26} {Value,10:0.##} {Unit}");
}

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, WriteIndented = true)]
[JsonSerializable(typeof(List<Figure>))]
internal sealed partial class TesterJson : JsonSerializerContext;
