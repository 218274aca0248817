using System.Globalization;

namespace NzbDav.Fakes.Archives;

/// <summary>How posters name the volumes of a set.</summary>
public static class VolumeNaming
{
    /// <summary><c>x.part01.rar</c>, with as many digits as the count needs; <c>x.rar</c> for a single one.</summary>
    public static string[] Part(string stem, int count) =>
        count == 1 ? [$"{stem}.rar"] : Make(count, i => $"{stem}.part{Number(i + 1, count)}.rar");

    /// <summary><c>x.rar, x.r00, …, x.r99, x.s00</c>.</summary>
    public static string[] Letter(string stem, int count) =>
        Make(count, i => i == 0
            ? $"{stem}.rar" : $"{stem}.{(char)('r' + ((i - 1) / 100))}{((i - 1) % 100).ToString("00", CultureInfo.InvariantCulture)}");

    /// <summary><c>x.001, x.002</c>.</summary>
    public static string[] Numeric(string stem, int count) =>
        Make(count, i => $"{stem}.{(i + 1).ToString("000", CultureInfo.InvariantCulture)}");

    /// <summary><c>x.1, x.2</c>.</summary>
    public static string[] Bare(string stem, int count) => Make(count, i => $"{stem}.{(i + 1).ToString(CultureInfo.InvariantCulture)}");

    /// <summary>Noise: a random name for each, without an ending.</summary>
    public static string[] Noise(int seed, int count) =>
        Make(count, i => Convert.ToHexStringLower(SeededBytes.Make((seed * 100_003) + i, 12)));

    private static string Number(int number, int count) =>
        number.ToString(new string('0', count.ToString(CultureInfo.InvariantCulture).Length), CultureInfo.InvariantCulture);

    private static string[] Make(int count, Func<int, string> name) => [.. Enumerable.Range(0, count).Select(name)];
}
