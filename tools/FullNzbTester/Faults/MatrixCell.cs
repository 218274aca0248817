using System.Globalization;

namespace NzbDav.FullNzbTester.Faults;

/// <summary>One measured cell of the matrix.</summary>
/// <param name="Fault">The fault.</param>
/// <param name="Layout">How the film was packed.</param>
/// <param name="Streams">Number of concurrent players.</param>
/// <param name="Tls">True over TLS.</param>
/// <param name="Readings">Readings with the fault: one, or more if the first fell short.</param>
/// <param name="Usual">Readings without the fault, alternating with the others: one more than those.</param>
internal sealed record MatrixCell(
    FaultScenario Fault, PostLayout Layout, int Streams, bool Tls, IReadOnlyList<FilmReading> Readings, IReadOnlyList<FilmReading> Usual)
{
    /// <summary>Throughput relative to the readings without the fault before and after it: the median of all readings.</summary>
    public double Ratio => Median(Readings.Select((reading, index) => reading.Rate / ((Usual[index].Rate + Usual[index + 1].Rate) / 2)));

    public double UsualRate => Median(Usual.Select(reading => reading.Rate));

    public double P99 => Median(Readings.Select(reading => reading.P99));

    public double Longest => Readings.Max(reading => reading.Longest);

    public int Cuts => Readings.Sum(reading => reading.Cuts);

    public long Wrong => Readings.Sum(reading => reading.Wrong);

    public int Hung => Readings.Sum(reading => reading.Hung);

    public int Restarts => Readings.Sum(reading => reading.Restarts);

    /// <summary>Such as <c>RAR5, 8 streams, TLS, drop 1 %</c>.</summary>
    public string Title => string.Create(CultureInfo.InvariantCulture,
        $"{Layout.Name}, {Streams} {(Streams == 1 ? "stream" : "streams")}, {(Tls ? "TLS" : "plain text")}, {Fault.Title}");

    /// <summary>True if the cell was too slow, or the fault never occurred, so that measuring again may rule out chance.</summary>
    public bool FallsShort(MatrixOptions options) => Ratio < options.LeastRatio || P99 > options.MostP99Ms || !HasStruck;

    /// <summary>False if the fault never occurred: then the cell shows nothing.</summary>
    public bool HasStruck => Readings.Any(reading => reading.Struck > 0);

    /// <summary>Everything wrong with the cell; empty when it passes.</summary>
    public IEnumerable<string> Failures(MatrixOptions options)
    {
        foreach (var failure in Readings.SelectMany(reading => reading.Failures))
            yield return failure;
        if (Wrong > 0)
            yield return $"{Wrong:N0} wrong bytes";
        if (!HasStruck)
            yield return "the fault never struck";
        if (Ratio < options.LeastRatio)
            yield return string.Create(CultureInfo.InvariantCulture,
                $"throughput is {Ratio:0.00} of {UsualRate:0.0} MB/s without the fault, {options.LeastRatio:0.00} is wanted");
        if (P99 > options.MostP99Ms)
            yield return string.Create(
                CultureInfo.InvariantCulture, $"the p99 of a read is {P99:N0} ms, {options.MostP99Ms:N0} ms is the most");
    }

    /// <summary>The median; NaN for no values.</summary>
    public static double Median(IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        return sorted.Length == 0 ? double.NaN : (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
    }
}
