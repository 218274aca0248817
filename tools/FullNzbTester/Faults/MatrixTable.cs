using System.Globalization;
using NzbDav.FullNzbTester.Report;
using Spectre.Console;

namespace NzbDav.FullNzbTester.Faults;

/// <summary>The table at the end: a row for each fault, then each demand with its verdict.</summary>
internal static class MatrixTable
{
    /// <summary>Width of the table in columns.</summary>
    public const int Width = 140;

    public static void Write(IAnsiConsole console, MatrixOptions options, IReadOnlyList<MatrixCell> cells)
    {
        var table = new Table().Border(TableBorder.Simple).AddColumn("fault");
        table.Columns[0].NoWrap();
        foreach (var name in new[] { "cells", "wrong bytes", "hung", "restarts, errors", "throughput: median", "least",
            "p99 of a read: median, ms", "worst", "longest", "cut", "passed" })
            table.AddColumn(new TableColumn(name).RightAligned());
        foreach (var group in cells.GroupBy(cell => cell.Fault)
            .Append(cells.GroupBy(_ => new FaultScenario("", "all", null)).FirstOrDefault()).OfType<IGrouping<FaultScenario, MatrixCell>>())
        {
            table.AddRow(
                group.Key.Title, Text(group.Count()), Text(group.Sum(cell => cell.Wrong)), Text(group.Sum(cell => cell.Hung)),
                Text(group.Sum(cell => cell.Restarts)),
                Ratio(MatrixCell.Median(group.Select(cell => cell.Ratio))), Ratio(group.Min(cell => cell.Ratio)),
                Text(MatrixCell.Median(group.Select(cell => cell.P99))), Text(group.Max(cell => cell.P99)),
                Text(group.Max(cell => cell.Longest)),
                Text(group.Sum(cell => cell.Cuts)), $"{group.Count(cell => !cell.Failures(options).Any())}/{group.Count()}");
        }

        console.Write(table);
        foreach (var verdict in Verdicts(options, cells))
            console.Profile.Out.Writer.WriteLine(verdict);
        foreach (var cell in cells)
        {
            foreach (var failure in cell.Failures(options))
                console.Profile.Out.Writer.WriteLine($"FAILED  {cell.Title}: {failure}");
        }
    }

    /// <summary>One verdict for each requirement.</summary>
    public static IReadOnlyList<Verdict> Verdicts(MatrixOptions options, IReadOnlyList<MatrixCell> cells)
    {
        var (wrong, hung, restarts) = (cells.Sum(cell => cell.Wrong), cells.Sum(cell => cell.Hung), cells.Sum(cell => cell.Restarts));
        var (slow, late) = (cells.Count(cell => cell.Ratio < options.LeastRatio), cells.Count(cell => cell.P99 > options.MostP99Ms));
        var unread = cells.Sum(cell => cell.Readings.Sum(reading => reading.Failures.Count));
        return
        [
            new("0 wrong bytes", $"{wrong:N0} of {cells.Sum(cell => cell.Readings.Sum(reading => reading.Compared)):N0} compared",
                wrong == 0),
            new("0 hung reads", $"{hung:N0}", hung == 0),
            new("0 restarts, no error logged, every read answered", $"{restarts:N0} restarts and errors, {unread:N0} complaints",
                restarts == 0 && unread == 0),
            new(string.Create(CultureInfo.InvariantCulture, $"throughput ≥ {options.LeastRatio:0.00} of that without the fault"),
                $"{slow} of {cells.Count} cells below", slow == 0),
            new(string.Create(CultureInfo.InvariantCulture, $"p99 of a read ≤ {options.MostP99Ms:N0} ms"),
                $"{late} of {cells.Count} cells above", late == 0),
            new("every fault struck", $"{cells.Count(cell => !cell.HasStruck)} cells without", cells.All(cell => cell.HasStruck)),
        ];
    }

    private static string Text(double value) => value.ToString("#,0", CultureInfo.InvariantCulture);

    private static string Ratio(double value) => value.ToString("0.00", CultureInfo.InvariantCulture);
}
