using System.Globalization;
using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Options;
using Spectre.Console;

namespace NzbDav.FullNzbTester.Report;

/// <summary>A table of this run beside an earlier one.</summary>
internal static class ComparisonTable
{
    public static void Write(IAnsiConsole console, IReadOnlyDictionary<string, double> earlier,
        IReadOnlyList<(NetworkProfile Network, RunFindings Findings)> runs)
    {
        var table = new Table().Border(TableBorder.Rounded).AddColumn("figure");
        foreach (var name in new[] { "earlier", "now", "now / earlier" })
            table.AddColumn(new TableColumn(name).RightAligned());
        foreach (var now in runs.SelectMany(run => FigureFile.Figures(run.Network, run.Findings)))
        {
            if (!earlier.TryGetValue(now.Name, out var value))
                continue;
            var ratio = value == 0 ? "-" : (now.Value!.Value / value).ToString("0.00", CultureInfo.InvariantCulture);
            table.AddRow(new Text(now.Name), new Text((now with { Value = value }).Text), new Text(now.Text), new Text(ratio));
        }

        console.Write(table);
    }
}
