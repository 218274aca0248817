using System.Globalization;
using Spectre.Console;

namespace NzbDav.FullNzbTester;

/// <summary>The table at the end.</summary>
internal static class ProbeReport
{
    public static void Write(IReadOnlyList<ProbeResult> results)
    {
        var table = new Table().AddColumn("");
        foreach (var result in results)
            table.AddColumn(new TableColumn($"{result.Options.LatencyMs:0} ± {result.Options.LatencyMs * result.Options.JitterShare:0} ms{(result.Options.Rate is { } rate ? $", {rate}/s each" : "")}").RightAligned());
        Row("import, ms", result => Number(result.ImportMs));
        Row("first GET after the start, first byte, ms", result => Number(result.FirstGetMs));
        Row("closed 1 MiB: first byte p50 / p95, ms", result => Quantiles(result.ClosedFirstByte));
        Row("closed 1 MiB: whole p50 / p95, ms", result => Quantiles(result.ClosedWhole));
        Row("open-ended: first byte p50 / p95, ms", result => Quantiles(result.OpenFirstByte));
        Row("open-ended: first MiB p50 / p95, ms", result => Quantiles(result.OpenFirstMiB));
        Row("articles per closed / open-ended MiB", result => $"{Number(result.ClosedArticles)} / {Number(result.OpenArticles)}");
        Row("sequential, MB/s", result => string.Join("  ", result.Sequential.Select(value => value.ToString("0", CultureInfo.InvariantCulture))));
        Row("readers at once, together, MB/s", result => Number(result.Together));
        Row("articles fetched over needed", result => result.Overfetch.ToString("0.000", CultureInfo.InvariantCulture));
        Row("server CPU, s per GB", result => result.ServerCpuPerGb.ToString("0.00", CultureInfo.InvariantCulture));
        Row("server peak memory, MiB", result => Number(result.PeakMiB));
        Row("bytes compared / wrong", result => string.Create(CultureInfo.InvariantCulture, $"{result.BytesCompared:N0} / {result.WrongBytes:N0}"));
        AnsiConsole.Profile.Width = Math.Max(AnsiConsole.Profile.Width, 140);
        AnsiConsole.Write(table);

        void Row(string name, Func<ProbeResult, string> value) => table.AddRow([name, .. results.Select(value)]);
    }

    private static string Number(double value) => value.ToString("0.0", CultureInfo.InvariantCulture);

    private static string Quantiles(List<double> values)
    {
        var sorted = values.Order().ToArray();
        return sorted.Length == 0 ? "-" : $"{Number(sorted[sorted.Length / 2])} / {Number(sorted[Math.Min(sorted.Length - 1, (int)(sorted.Length * 0.95))])}";
    }
}
