using System.Globalization;

namespace NzbDav.Mocks;

/// <summary>Parses numbers of bytes as people write them.</summary>
public static class ByteCount
{
    /// <summary>Parses a number, optionally with a fraction and one of K, M, G (powers of 1024).</summary>
    public static bool TryParse(string text, out long bytes)
    {
        ArgumentNullException.ThrowIfNull(text);
        var scale = text.Length == 0 ? 1 : char.ToUpperInvariant(text[^1]) switch
        {
            'K' => 1L << 10,
            'M' => 1L << 20,
            'G' => 1L << 30,
            _ => 1,
        };
        var digits = scale == 1 ? text : text[..^1];
        var parsed = double.TryParse(digits, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number)
            && double.IsFinite(number) && number * scale < long.MaxValue;
        bytes = parsed ? (long)(number * scale) : 0;
        return parsed;
    }
}
