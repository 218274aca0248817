namespace NzbDav.FullNzbTester;

/// <summary>A line of the table.</summary>
/// <param name="Section">The block it stands in.</param>
/// <param name="Label">What was measured, with its unit.</param>
/// <param name="Figures">Shown one beside the other; none for a line that only says something.</param>
/// <param name="Note">Said in place of, or behind, the numbers.</param>
internal sealed record FigureRow(string Section, string Label, IReadOnlyList<Figure> Figures, string? Note = null)
{
    /// <summary>The cell.</summary>
    public string Text => string.Join("  ", new[] { string.Join(" / ", Figures.Select(figure => figure.Text)), Note }.Where(part => !string.IsNullOrEmpty(part)));
}
