using System.Globalization;

namespace NzbDav.FullNzbTester.Findings;

/// <summary>Units of sizes and rates.</summary>
internal static class Units
{
    /// <summary>Bytes per megabyte, the unit of rates.</summary>
    public const double Mega = 1e6;

    /// <summary>Bytes per mebibyte, the unit of sizes.</summary>
    public const long MiB = 1 << 20;
}

/// <summary>Formats times for people: three digits and a suitable unit.</summary>
internal static class Duration
{
    /// <summary>Such as <c>310µs</c>, <c>52.1ms</c>, <c>430ms</c> or <c>418s</c>.</summary>
    /// <param name="seconds">At least 0.</param>
    public static string Text(double seconds) => seconds switch
    {
        < 0.9995e-3 => $"{Digits(seconds * 1e6)}µs",
        < 0.9995 => $"{Digits(seconds * 1e3)}ms",
        _ => Seconds(seconds),
    };

    /// <summary>Such as <c>0.43s</c>: always in seconds.</summary>
    public static string Seconds(double seconds) => $"{Digits(seconds)}s";

    private static string Digits(double value) =>
        value.ToString(value < 9.995 ? "0.##" : value < 99.95 ? "0.#" : "0", CultureInfo.InvariantCulture);
}
