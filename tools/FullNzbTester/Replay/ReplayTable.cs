using System.Globalization;
using System.Text.Json.Nodes;
using NzbDav.Content.Recording;
using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Report;
using Spectre.Console;

namespace NzbDav.FullNzbTester.Replay;

/// <summary>The result of a replay as a table and as JSON.</summary>
internal static class ReplayTable
{
    public static void Write(TextWriter output, Recording recording, ReplayOptions options, ReplayResult result)
    {
        var console = AnsiConsole.Create(new AnsiConsoleSettings
        { Out = new AnsiConsoleOutput(output), Ansi = AnsiSupport.No, ColorSystem = ColorSystemSupport.NoColors });
        console.Profile.Width = Math.Max(console.Profile.Width, 100);
        var speed = options.Speed > 1 ? string.Create(CultureInfo.InvariantCulture, $" at speed {options.Speed}") : "";
        var title = string.Create(
            CultureInfo.InvariantCulture,
            $"{options.File.Name}: {TimeSpan.FromMilliseconds(recording.Length):h\\:mm\\:ss} of NzbDav {recording.By}, " +
            $"{recording.StartedAt:yyyy-MM-dd}{speed}");
        var table = new Table().Border(TableBorder.Simple).Title(Markup.Escape(title)).AddColumn("").AddColumn("recorded")
            .AddColumn("replayed");
        foreach (var (label, recorded, replayed) in Rows(result.Recorded, result.Replayed))
            table.AddRow(new Text(label), new Text(recorded), new Text(replayed));
        console.Write(table);
        output.WriteLine(
            string.Create(
            CultureInfo.InvariantCulture,
            $"  {result.Counts.Bytes:N0} bytes compared, {result.Counts.Wrong:N0} wrong; {result.Counts.Hung} reads hung, " +
            $"{result.Counts.Failed} failed that did not fail then."));
        foreach (var failure in result.Counts.Failures)
            output.WriteLine($"FAILED  {failure}");
        output.WriteLine(result.Passed ? "passed" : "FAILED");
    }

    /// <summary>All figures; times in seconds.</summary>
    public static string ToJson(ReplayResult result)
    {
        var root = new JsonObject
        {
            ["passed"] = result.Passed,
            ["bytes_compared"] = result.Counts.Bytes,
            ["wrong_bytes"] = result.Counts.Wrong,
            ["reads_hung"] = result.Counts.Hung,
            ["reads_failed"] = result.Counts.Failed,
            ["recorded"] = Of(result.Recorded),
            ["replayed"] = Of(result.Replayed),
        };
        return JsonFile.TextOf(root);
    }

    private static JsonObject Of(ReplayFigures figures) => new()
    {
        ["requests"] = figures.Requests,
        ["bytes"] = figures.Bytes,
        ["broken"] = figures.Broken,
        ["waits"] = figures.Waits.Count,
        ["wait_sum_s"] = figures.Waits.Sum(),
        ["wait_p50_s"] = ReplayFigures.Percentile(figures.Waits, 0.5),
        ["wait_p99_s"] = ReplayFigures.Percentile(figures.Waits, 0.99),
        ["wait_longest_s"] = figures.Waits.Count == 0 ? 0 : figures.Waits[^1],
        ["first_byte_p50_s"] = ReplayFigures.Percentile(figures.FirstBytes, 0.5),
        ["first_byte_p99_s"] = ReplayFigures.Percentile(figures.FirstBytes, 0.99),
        ["bytes_per_s"] = figures.Rate,
        ["providers"] = new JsonArray([.. figures.Providers.OrderBy(pair => pair.Key).Select(pair => (JsonNode)new JsonObject
        {
            ["provider"] = pair.Key, ["asked"] = pair.Value.Asked, ["missing"] = pair.Value.Missing, ["faults"] = pair.Value.Faults,
        })]),
    };

    private static IEnumerable<(string Label, string Recorded, string Replayed)> Rows(ReplayFigures recorded, ReplayFigures replayed)
    {
        yield return Row("requests", figures => Number(figures.Requests));
        yield return Row("of them refused or broken off", figures => Number(figures.Broken));
        yield return Row("bytes sent", figures => Number(figures.Bytes));
        yield return Row("MB/s while the client set no pace",
            figures => figures.Rate is { } rate ? (rate / 1e6).ToString("0.0", CultureInfo.InvariantCulture) : "-");
        yield return Row("first byte, p50 / p99", figures =>
            $"{Time(ReplayFigures.Percentile(figures.FirstBytes, 0.5))} / {Time(ReplayFigures.Percentile(figures.FirstBytes, 0.99))}");
        yield return Row("waits of 50 ms and more", figures => Number(figures.Waits.Count));
        yield return Row("of a second and more", figures => Number(figures.Waits.Count(wait => wait >= 1)));
        yield return Row("waits, p50 / p99",
            figures => $"{Time(ReplayFigures.Percentile(figures.Waits, 0.5))} / {Time(ReplayFigures.Percentile(figures.Waits, 0.99))}");
        yield return Row("longest wait", figures => Time(figures.Waits.Count == 0 ? null : figures.Waits[^1]));
        yield return Row("waited in all", figures => Time(figures.Waits.Sum()));
        foreach (var number in recorded.Providers.Keys.Union(replayed.Providers.Keys).Order())
        {
            yield return Row(
                $"P{number}: articles asked / missing / faults",
                figures => figures.Providers.TryGetValue(number, out var provider)
                    ? $"{Number(provider.Asked)} / {Number(provider.Missing)} / {Number(provider.Faults)}" : "-");
        }

        (string, string, string) Row(string label, Func<ReplayFigures, string> of) => (label, of(recorded), of(replayed));
    }

    private static string Number(long value) => value.ToString("N0", CultureInfo.InvariantCulture);

    private static string Time(double? seconds) => seconds is { } value ? Duration.Text(value) : "-";
}
