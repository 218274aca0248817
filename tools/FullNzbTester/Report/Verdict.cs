using System.Text.Json.Nodes;

namespace NzbDav.FullNzbTester.Report;

/// <summary>Whether a run met one requirement.</summary>
/// <param name="Demand">The requirement.</param>
/// <param name="Measured">The measured result.</param>
/// <param name="Passed">True if the requirement is met.</param>
internal sealed record Verdict(string Demand, string Measured, bool Passed)
{
    public JsonObject ToJson() => new() { ["demand"] = Demand, ["measured"] = Measured, ["passed"] = Passed };

    /// <summary>A line of the console.</summary>
    public override string ToString() => $"{(Passed ? "passed" : "FAILED")}  {Demand}: {Measured}";
}
