using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Options;
using Spectre.Console;

namespace NzbDav.FullNzbTester.Report;

/// <summary>The table at the end: a column for each network.</summary>
internal static class SummaryTable
{
    /// <summary>Columns that a terminal needs for a table with four networks.</summary>
    public const int Width = 120;

    private const int NetworkWidth = 22;

    /// <summary>Columns that a terminal needs for a table with this many networks.</summary>
    public static int WidthOf(int networks) => Math.Max(Width, Width + ((networks - 4) * NetworkWidth));

    public static void Write(
        IAnsiConsole console, TesterOptions options, IReadOnlyList<(NetworkProfile Network, RunFindings Findings)> runs)
    {
        var table = new Table().Border(TableBorder.Simple).Title(What(options)).AddColumn(Column(""));
        table.Columns[0].NoWrap();
        foreach (var (network, _) in runs)
            table.AddColumn(Column($"{network.Name}\n{network.Numbers}"));
        foreach (var section in runs.SelectMany(run => run.Findings.Rows).Select(row => (row.Section, row.Label)).Distinct()
            .GroupBy(row => row.Section).ToArray())
        {
            table.AddRow(new Markup($"[bold]{Markup.Escape(section.Key)}[/]"));
            foreach (var (_, label) in section)
                table.AddRow([new Text($" {label}"), .. runs.Select(run =>
                    new Text(run.Findings.Rows.FirstOrDefault(row => row.Section == section.Key && row.Label == label)?.Text ?? "-"))]);
        }

        table.AddRow(
            [new Markup("[bold]bytes compared / wrong[/]"),
            .. runs.Select(
            run => new Text(
            $"{run.Findings.BytesCompared:N0} / " +
            $"{run.Findings.WrongBytes:N0}{(options.Nzb is null ? "" : "  (between two independent reads, not with a source)")}"))]);
        table.AddRow([new Markup("[bold]result[/]"),
            .. runs.Select(run => new Markup(run.Findings.Passed ? "[green]passed[/]" : "[red]FAILED[/]"))]);
        console.Write(table);

        // A failure is one line, however long, so that it can be searched for; the terminal wraps it.
        foreach (var (network, findings) in runs)
        {
            foreach (var failure in findings.Failures)
                console.Profile.Out.Writer.WriteLine($"FAILED  {network.Name}: {failure}");
        }
    }

    /// <summary>One space between columns: with four networks there is no room for more.</summary>
    private static TableColumn Column(string header) => new(new Text(header)) { Padding = new Padding(0, 0) };

    private static string What(TesterOptions options) => Markup.Escape(
        options.Nzb is { } nzb
            ? nzb.Name
            : $"{(options.File is { } file ? file.Name : $"{options.SizeMiB:N0} MiB")}, {options.Connections} " +
            $"connections{Faults(options)}");

    private static string Faults(TesterOptions options) => string.Concat(
        options.Missing > 0 ? $", {options.Missing:P1} gone" : "",
        options.Corrupt > 0 ? $", {options.Corrupt:P1} damaged once" : "",
        options.Stall > 0 ? $", {options.Stall:P1} stalled once" : "",
        options.Plant != PlantedFault.None ? $", planted: {options.Plant}" : "");
}
