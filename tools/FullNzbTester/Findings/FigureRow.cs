namespace NzbDav.FullNzbTester.Findings;

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
    public string Text => Cell ?? string.Join("  ", new[] { string.Join(" / ", Figures.Select(figure => figure.Text)), Note }.Where(part => !string.IsNullOrEmpty(part)));
}
