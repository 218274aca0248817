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

/// <summary>A line of the table.</summary>
/// <param name="Section">The block of the table that contains it.</param>
/// <param name="Label">What was measured, with its unit.</param>
/// <param name="Figures">Shown side by side; empty for a line of text only.</param>
/// <param name="Note">Text after the numbers, or in their place.</param>
/// <param name="Cell">The cell's text, if it is not the figures side by side.</param>
internal sealed record FigureRow(string Section, string Label, IReadOnlyList<Figure> Figures, string? Note = null, string? Cell = null)
{
    /// <summary>Longest label: the table of four networks has 120 columns.</summary>
    public const int LabelWidth = 33;

    /// <summary>The cell's text.</summary>
    public string Text => Cell ?? string.Join(
        "  ", new[] { string.Join(" / ", Figures.Select(figure => figure.Text)), Note }.Where(part => !string.IsNullOrEmpty(part)));
}
