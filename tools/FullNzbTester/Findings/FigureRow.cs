namespace NzbDav.FullNzbTester.Findings;

/// <summary>A line of the table.</summary>
/// <param name="Section">The block it stands in.</param>
/// <param name="Label">What was measured, with its unit.</param>
/// <param name="Figures">Shown one beside the other; none for a line that only says something.</param>
/// <param name="Note">Said in place of, or behind, the numbers.</param>
/// <param name="Cell">How the figures are shown; null for one beside the other.</param>
internal sealed record FigureRow(string Section, string Label, IReadOnlyList<Figure> Figures, string? Note = null, string? Cell = null)
{
    /// <summary>Longest label: the table of four networks has 120 columns.</summary>
    public const int LabelWidth = 33;

    /// <summary>What stands in the table.</summary>
    public string Text => Cell ?? string.Join("  ", new[] { string.Join(" / ", Figures.Select(figure => figure.Text)), Note }.Where(part => !string.IsNullOrEmpty(part)));
}
