using System.Text.Json.Nodes;

namespace NzbDav.FullNzbTester.Report;

/// <summary>Whether a run met one demand.</summary>
/// <param name="Demand">What is wanted.</param>
/// <param name="Measured">What was found.</param>
/// <param name="Passed">True when that is enough.</param>
internal sealed record Verdict(string Demand, string Measured, bool Passed)
{
    public JsonObject ToJson() => new() { ["demand"] = Demand, ["measured"] = Measured, ["passed"] = Passed };

    /// <summary>A line of the console.</summary>
    public override string ToString() => $"{(Passed ? "passed" : "FAILED")}  {Demand}: {Measured}";
}
