using NzbDav.FullNzbTester.Findings;

namespace NzbDav.FullNzbTester.Stages;

/// <summary>Places to seek to: always the same for the same length, so that runs can be compared.</summary>
internal static class SeekPlaces
{
    private const int Seed = 11;

    /// <summary>Places in per cent, in the order in which a person scrubs: forward three times, then back.</summary>
    public static IReadOnlyList<int> Percents { get; } = [10, 50, 90, 20];

    /// <summary>Adds the times of <see cref="Percents"/> to the table.</summary>
    public static void AddTo(Stage stage, IReadOnlyList<Figure> times)
    {
        stage.Add($"seek to {Percents[0]} / {Percents[1]} %, ms", times[0], times[1]);
        stage.Add($"seek to {Percents[2]}, back to {Percents[3]} %, ms", times[2], times[3]);
    }

    public static long At(long length, int percent) => length / 100 * percent;

    /// <summary>Splits a length among readers, so that none finds data in memory that another one has read.</summary>
    /// <param name="length">Total length in bytes, at least 1.</param>
    /// <param name="count">Number of readers.</param>
    /// <returns>Where each reader begins, and how much each reads, at least 1 byte.</returns>
    public static (IReadOnlyList<long> Starts, long Each) Apart(long length, int count)
    {
        var each = Math.Max(1, length / count);
        return ([.. Enumerable.Range(0, count).Select(index => Math.Min(index * each, length - 1))], each);
    }

    /// <summary>Random places from which <paramref name="read"/> bytes can be read.</summary>
    /// <param name="length">Length of the file.</param>
    /// <param name="read">At most the length.</param>
    /// <param name="count">Number of places.</param>
    /// <param name="variation">Selects another set of places, so that a stage does not find data in memory that an earlier one has
    /// read.</param>
    public static IReadOnlyList<long> Random(long length, long read, int count, int variation = 0)
    {
        var random = new Random(Seed + variation);
        return [.. Enumerable.Range(0, count).Select(_ => random.NextInt64(Math.Max(1, length - read + 1)))];
    }
}
