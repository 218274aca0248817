using System.Globalization;
using System.Text;
using NzbDav.Import.Names;

namespace NzbDav.Import.Tests.Names;

/// <summary>
/// Against vectors that Python's <c>unicodedata</c> made: sequences of letters, marks and compatibility characters, seeded.
/// </summary>
public sealed class CompositionTests
{
    [Fact]
    public void Every_test_vector_composes_as_the_standard_says()
    {
        var vectors = File.ReadAllLines(Path.Combine(AppContext.BaseDirectory, "Composition.txt")).Where(line => line[0] != '#').ToArray();
        Assert.InRange(vectors.Length, 500, 5000);
        foreach (var vector in vectors)
        {
            var parts = vector.Split("; ");
            var composed = Composition.Compose(Text(parts[0]));
            Assert.Equal((parts[0], Text(parts[1])), (parts[0], composed));
            Assert.Equal(composed, Composition.Compose(composed));
        }
    }

    [Theory]
    [InlineData("Cafe\u0301.mkv", "Café.mkv")]
    [InlineData("Plain.mkv", "Plain.mkv")]
    [InlineData("Й", "Й")]
    [InlineData("\u1112\u1161\u11ab\u1100\u116e\u11a8", "한국")]
    [InlineData("\u30cf\u3099", "\u30d0")]
    public void Decomposed_names_from_macOS_are_found_by_all_clients(string posted, string expected)
    {
        Assert.Equal(expected, Composition.Compose(posted));
        Assert.Equal(expected, SafeName.Of(posted));
    }

    private static string Text(string codes)
    {
        var text = new StringBuilder();
        foreach (var code in codes.Split(' '))
            text.Append(new Rune(int.Parse(code, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture)).ToString());
        return text.ToString();
    }
}
