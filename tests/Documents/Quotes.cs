using System.Text;
using System.Text.RegularExpressions;

namespace NzbDav.Documents.Tests;

/// <summary>
/// Checks quoted messages against the program: each line of a <c>text</c> block has to be in the sources. Values that a message fills in
/// are written as <c>…</c> on the page, or are an address.
/// </summary>
internal static partial class Quotes
{
    // The text between two values may be as short as a comma; pieces that short are in every source.
    private const int LeastPiece = 4;

    /// <param name="page">The page whose quotations are checked.</param>
    /// <param name="sources">The texts of all source files.</param>
    public static IEnumerable<string> Faults(Page page, IReadOnlyCollection<string> sources)
    {
        var plain = sources.Select(Plain).ToArray();
        foreach (var block in page.Blocks.Where(block => block.Language == "text"))
        {
            foreach (var (line, index) in block.Text.Split('\n').Select((line, index) => (line, index)))
            {
                var pieces = Address().Replace(line, "…").Split('…').Select(piece => piece.Trim())
                    .Where(piece => piece.Length >= LeastPiece).ToArray();
                if (pieces.Length > 0
                    && !Array.Exists(plain, source => pieces.All(piece => source.Contains(piece, StringComparison.Ordinal))))
                    yield return $"{page.At(block.Line + index)}: no source file has this message: {line}";
            }
        }
    }

    /// <summary>Source text without string syntax: escaped quotes, and strings that continue on the next line.</summary>
    private static string Plain(string source) =>
        Continued().Replace(new StringBuilder(source).Replace("\\\"", "\"").Replace("\\'", "'").ToString(), "");

    [GeneratedRegex("https?://\\S+")]
    private static partial Regex Address();

    [GeneratedRegex("\"\\s*\\+\\s*\\$?\"")]
    private static partial Regex Continued();
}
