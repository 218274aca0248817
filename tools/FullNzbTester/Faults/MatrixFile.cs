using System.Text.Json.Nodes;
using NzbDav.FullNzbTester.Report;

namespace NzbDav.FullNzbTester.Faults;

/// <summary>The matrix as JSON: an object for each cell, and the verdicts.</summary>
internal static class MatrixFile
{
    public static Task WriteAsync(string path, MatrixOptions options, IReadOnlyList<MatrixCell> cells, CancellationToken cancellationToken)
    {
        var verdicts = MatrixTable.Verdicts(options, cells);
        var root = new JsonObject
        {
            ["passed"] = verdicts.All(verdict => verdict.Passed),
            ["size_mib"] = options.SizeMiB,
            ["article_bytes"] = options.ArticleSize,
            ["verdicts"] = JsonFile.Array(verdicts.Select(verdict => verdict.ToJson())),
            ["cells"] = JsonFile.Array(cells.Select(cell => Cell(options, cell))),
        };
        return JsonFile.WriteAsync(path, root, cancellationToken);
    }

    private static JsonObject Cell(MatrixOptions options, MatrixCell cell) => new()
    {
        ["fault"] = cell.Fault.Name,
        ["layout"] = cell.Layout.Name,
        ["streams"] = cell.Streams,
        ["tls"] = cell.Tls,
        ["throughput_ratio"] = cell.Ratio,
        ["mb_per_s"] = JsonFile.Array(cell.Readings.Select(reading => reading.Rate)),
        ["usual_mb_per_s"] = JsonFile.Array(cell.Usual.Select(reading => reading.Rate)),
        ["read_p99_ms"] = cell.P99,
        ["usual_read_p99_ms"] = MatrixCell.Median(cell.Usual.Select(reading => reading.P99)),
        ["read_longest_ms"] = cell.Longest,
        ["wrong_bytes"] = cell.Wrong,
        ["hung_reads"] = cell.Hung,
        ["restarts"] = cell.Restarts,
        ["responses_cut"] = cell.Cuts,
        ["faults_struck"] = cell.Readings.Sum(reading => reading.Struck),
        ["failures"] = JsonFile.Array(cell.Failures(options)),
    };
}
