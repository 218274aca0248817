using System.Globalization;
using System.Text;

namespace NzbDav.Import.Names;

/// <summary>
/// Unicode normalisation form C (https://www.unicode.org/reports/tr15/). Names posted from macOS store accents apart from their letters, so
/// clients that ask for the composed name would not find them. Implemented here because <c>string.Normalize</c> changes nothing without
/// ICU.
/// </summary>
internal static class Composition
{
    // Hangul is computed: The Unicode Standard, section 3.12.
    private const int SBase = 0xAC00;
    private const int LBase = 0x1100;
    private const int VBase = 0x1161;
    private const int TBase = 0x11A7;
    private const int LCount = 19;
    private const int VCount = 21;
    private const int TCount = 28;
    private const int NCount = VCount * TCount;
    private const int SCount = LCount * NCount;

    private static readonly Lazy<Table> Known = new(Table.Load);

    /// <summary>The composed form. Lone surrogates become U+FFFD.</summary>
    public static string Compose(string text)
    {
        // No character below U+0300 combines with another or has a decomposition that stays decomposed.
        if (text.AsSpan().IndexOfAnyExceptInRange('\0', '\u02ff') < 0)
            return text;
        var table = Known.Value;
        var codes = new List<int>(text.Length + 8);
        foreach (var rune in text.EnumerateRunes())
            Decompose(table, rune.Value, codes);
        Order(table, codes);
        Compose(table, codes);
        var result = new StringBuilder(text.Length);
        foreach (var code in codes)
            result.Append(new Rune(code).ToString());
        return result.ToString();
    }

    private static void Decompose(Table table, int code, List<int> codes)
    {
        if (code is >= SBase and < SBase + SCount)
        {
            var index = code - SBase;
            codes.Add(LBase + (index / NCount));
            codes.Add(VBase + (index % NCount / TCount));
            if (index % TCount != 0)
                codes.Add(TBase + (index % TCount));
        }
        else if (table.Decompositions.TryGetValue(code, out var parts))
        {
            Decompose(table, parts.First, codes);
            if (parts.Second != 0)
                codes.Add(parts.Second);
        }
        else
        {
            codes.Add(code);
        }
    }

    /// <summary>Sorts the marks after a letter by combining class; marks of one class keep their order.</summary>
    private static void Order(Table table, List<int> codes)
    {
        for (var i = 1; i < codes.Count; i++)
        {
            var kind = table.Class(codes[i]);
            for (var j = i; kind != 0 && j > 0 && table.Class(codes[j - 1]) > kind; j--)
                (codes[j], codes[j - 1]) = (codes[j - 1], codes[j]);
        }
    }

    private static void Compose(Table table, List<int> codes)
    {
        var starter = -1;
        var kept = 0;
        var last = 0;
        for (var i = 0; i < codes.Count; i++)
        {
            var code = codes[i];
            var kind = table.Class(code);

            // A mark is blocked if a character of the same or a higher class, or another letter that did not compose, stands between.
            if (starter >= 0 && (kept == starter + 1 || (last != 0 && last < kind))
                && Pair(table, codes[starter], code) is var joined and not 0)
            {
                codes[starter] = joined;
                continue;
            }

            if (kind == 0)
                starter = kept;
            last = kind;
            codes[kept++] = code;
        }

        codes.RemoveRange(kept, codes.Count - kept);
    }

    private static int Pair(Table table, int first, int second)
    {
        if (first is >= LBase and < LBase + LCount && second is >= VBase and < VBase + VCount)
            return SBase + ((((first - LBase) * VCount) + second - VBase) * TCount);
        if (first is >= SBase and < SBase + SCount && (first - SBase) % TCount == 0 && second is > TBase and < TBase + TCount)
            return first + second - TBase;
        return table.Pairs.GetValueOrDefault((first, second));
    }

    private sealed class Table
    {
        private readonly List<(int First, int Last, int Class)> _classes = [];

        public Dictionary<int, (int First, int Second)> Decompositions { get; } = [];

        public Dictionary<(int First, int Second), int> Pairs { get; } = [];

        public static Table Load()
        {
            using var stream = typeof(Composition).Assembly.GetManifestResourceStream("NzbDav.Import.Names.Composition.txt")!;
            using var reader = new StreamReader(stream, Encoding.ASCII);
            var table = new Table();
            while (reader.ReadLine() is { } line)
                table.Add(line.Split(' '));
            return table;
        }

        public int Class(int code)
        {
            int low = 0, high = _classes.Count - 1;
            while (low <= high)
            {
                var middle = (low + high) / 2;
                var (first, last, kind) = _classes[middle];
                if (code < first)
                    high = middle - 1;
                else if (code > last)
                    low = middle + 1;
                else
                    return kind;
            }

            return 0;
        }

        private void Add(string[] words)
        {
            switch (words[0])
            {
                case "C":
                    _classes.Add((Hex(words[1]), Hex(words[2]), int.Parse(words[3], CultureInfo.InvariantCulture)));
                    break;
                case "D" or "X":
                    var parts = (Hex(words[2]), words.Length > 3 ? Hex(words[3]) : 0);
                    Decompositions.Add(Hex(words[1]), parts);
                    if (words[0] == "D")
                        Pairs.Add(parts, Hex(words[1]));
                    break;
            }
        }

        private static int Hex(string word) => int.Parse(word, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
    }
}
