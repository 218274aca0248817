using System.Text.Json;
using System.Text.Json.Nodes;

namespace NzbDav.FullNzbTester;

/// <summary>The matrix as JSON: an object for each cell, and the verdicts.</summary>
internal static class MatrixFile
{
    private static readonly JsonSerializerOptions Indented = new() { WriteIndented = true };

    public static Task WriteAsync(string path, MatrixOptions options, IReadOnlyList<MatrixCell> cells, CancellationToken cancellationToken)
    {
        var verdicts = MatrixTable.Verdicts(options, cells);
        var root = new JsonObject
        {
            ["passed"] = verdicts.All(verdict => verdict.Passed),
            ["size_mib"] = options.SizeMiB,
            ["article_bytes"] = options.ArticleSize,
            ["verdicts"] = new JsonArray([.. verdicts.Select(verdict => (JsonNode)new JsonObject { ["demand"] = verdict.Demand, ["measured"] = verdict.Measured, ["passed"] = verdict.Passed })]),
            ["cells"] = new JsonArray([.. cells.Select(cell => (JsonNode)Cell(options, cell))]),
        };
        return File.WriteAllTextAsync(path, root.ToJsonString(Indented) + "\n", cancellationToken);
    }

    private static JsonObject Cell(MatrixOptions options, MatrixCell cell) => new()
    {
        ["fault"] = cell.Fault.Name,
        ["layout"] = cell.Layout.Name,
        ["streams"] = cell.Streams,
        ["tls"] = cell.Tls,
        ["throughput_ratio"] = cell.Ratio,
        ["mb_per_s"] = Numbers(cell.Readings, reading => reading.Rate),
        ["usual_mb_per_s"] = Numbers(cell.Usual, reading => reading.Rate),
        ["read_p99_ms"] = cell.P99,
        ["usual_read_p99_ms"] = MatrixCell.Median(cell.Usual.Select(reading => reading.P99)),
        ["read_longest_ms"] = cell.Longest,
        ["wrong_bytes"] = cell.Wrong,
        ["hung_reads"] = cell.Hung,
        ["restarts"] = cell.Restarts,
        ["responses_cut"] = cell.Cuts,
        ["faults_struck"] = cell.Readings.Sum(reading => reading.Struck),
        ["failures"] = new JsonArray([.. cell.Failures(options).Select(failure => (JsonNode)failure)]),
    };

    private static JsonArray Numbers(IEnumerable<FilmReading> readings, Func<FilmReading, double> figure) => new([.. readings.Select(reading => (JsonNode)figure(reading))]);
}
