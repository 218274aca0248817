namespace NzbDav.FullNzbTester.Findings;

/// <summary>One measured number.</summary>
/// <param name="Name">Stable, and ends in the unit. Identifies the figure in JSON files and comparisons.</param>
/// <param name="Value">Null when it could not be measured here.</param>
internal sealed record Figure(string Name, double? Value)
{
    /// <summary>The value, formatted to suit its unit; a dash for null.</summary>
    public string Text => Value is not { } value ? "-" : value.ToString(Format, System.Globalization.CultureInfo.InvariantCulture);

    private string Format =>
        Name.EndsWith("_ms", StringComparison.Ordinal) ? Value >= 1000 ? "#,0" : "0.0"
        : Name.EndsWith("_ratio", StringComparison.Ordinal) || Name.EndsWith("_per_byte", StringComparison.Ordinal) ? "0.000"
        : Name.EndsWith("_s_per_gb", StringComparison.Ordinal) ? "0.00"
        : Name.EndsWith("_per_gb", StringComparison.Ordinal) || Name.EndsWith("_mean", StringComparison.Ordinal) ? "#,0.##"
        : Name.EndsWith("_per_range", StringComparison.Ordinal) ? "0.0"
        : Name.EndsWith("_mib", StringComparison.Ordinal) || Name.EndsWith("_mb_per_s", StringComparison.Ordinal) ? "#,0"
        : "#,0.####";
}
