using System.Globalization;
using System.Text.Json.Nodes;
using NzbDav.FullNzbTester.Faults;
using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Options;
using NzbDav.FullNzbTester.Report;
using Spectre.Console;

namespace NzbDav.FullNzbTester.Mounts;

/// <summary>What one network gave: the values of each figure and side, and what went wrong. Thread-safe.</summary>
/// <param name="network">The network.</param>
/// <param name="options">Sizes and numbers.</param>
/// <param name="sides">Names of the sides; the server's own mount is the first.</param>
internal sealed class MountsResult(NetworkProfile network, MountsOptions options, IReadOnlyList<string> sides)
{
    /// <summary>After this many failures, further ones are only counted.</summary>
    private const int MostFailures = 30;

    private readonly Lock _gate = new();
    private readonly List<(string Side, Figure Figure)> _values = [];
    private readonly List<string> _failures = [];
    private long _more;

    public NetworkProfile Network => network;

    public MountsOptions Options => options;

    public IReadOnlyList<string> Sides => sides;

    /// <summary>Number of values.</summary>
    public int Count => _values.Count;

    public long BytesCompared { get; private set; }

    public long WrongBytes { get; private set; }

    public IReadOnlyList<string> Failures
    {
        get
        {
            lock (_gate)
                return _more == 0 ? [.. _failures] : [.. _failures, $"and {_more:N0} more."];
        }
    }

    public void Add(string side, string figure, double value)
    {
        lock (_gate)
            _values.Add((side, new Figure(figure, value)));
    }

    public void Compared(long bytes, long wrong)
    {
        lock (_gate)
            (BytesCompared, WrongBytes) = (BytesCompared + bytes, WrongBytes + wrong);
    }

    public void Fail(string failure)
    {
        lock (_gate)
        {
            if (_failures.Count < MostFailures)
                _failures.Add(failure);
            else
                _more++;
        }
    }

    /// <summary>The median of a figure over all turns; null: it was not measured.</summary>
    public double? Median(string side, string figure)
    {
        double[] values = [.. _values.Where(value => value.Side == side && value.Figure.Name == figure)
            .Select(value => value.Figure.Value!.Value)];
        return values.Length == 0 ? null : MatrixCell.Median(values);
    }

    /// <summary>The values after the first so many, as text.</summary>
    public IEnumerable<string> Since(int count) => _values.Skip(count).Select(value => $"{value.Figure.Name} {value.Figure.Text}");

    /// <summary>The own mount's figure relative to that of the first rclone.</summary>
    public double? Ratio(string figure) => sides.Count > 1 ? Median(sides[0], figure) / Median(sides[1], figure) : null;
}

/// <summary>The comparison as a table, with what is wanted of each figure and whether the mount meets that; and as JSON.</summary>
internal static class MountsTable
{
    /// <summary>Width of the table in columns.</summary>
    public const int Width = 130;

    private static readonly Row[] Rows =
    [
        new("sequential_mb_per_s", "sequential read, MB/s", "≥ 1.5 × rclone's", result => result.Ratio("sequential_mb_per_s") >= 1.5),
        new("cpu_s_per_gb", "its CPU, server and rclone, s/GB", "≤ 0.6 × rclone's", result => result.Ratio("cpu_s_per_gb") <= 0.6),
        new("server_cpu_s_per_gb", "of that the server, s/GB"),
        new("articles_over_needed_ratio", "articles fetched / needed", "1.00", Most("articles_over_needed_ratio", 1.005)),
        new("seek_p50_ms", "1 MiB at a random place, p50, ms", "≤ WebDAV + 2 ms",
            result => result.Median(MountSide.Own, "seek_p50_ms") <= result.Median(MountSide.Own, "webdav_p50_ms") + 2),
        new("seek_p95_ms", "the same, p95, ms"),
        new("webdav_p50_ms", "the same over WebDAV, p50, ms"),
        new("webdav_p95_ms", "the same over WebDAV, p95, ms"),
        new("ls_first_ms", "ls -l of the large folder, ms", "≤ 300 ms", Most("ls_first_ms", 300)),
        new("ls_again_ms", "again, ms", "≤ 100 ms", Most("ls_again_ms", 100)),
        new("ffprobe_articles_mean", "ffprobe: articles per film"),
        new("ffprobe_ms", "ffprobe of all films, ms"),
        new("published_ms", "a new job is seen after, ms", "≤ 1,000 ms", Most("published_ms", 1_000)),
        new("deleted_ms", "a deleted one is gone after, ms", "≤ 1,000 ms", Most("deleted_ms", 1_000)),
        new("crowd_longest_wait_ms", "readers at 2 MB/s: longest wait, ms", "≤ 1,000 ms", Most("crowd_longest_wait_ms", 1_000)),
        new("crowd_p99_ms", "p99 of a read, ms"),
        new("server_peak_mib", "the server's peak memory, MiB"),
    ];

    public static void Write(IAnsiConsole console, MountsResult result)
    {
        var options = result.Options;
        var title = string.Create(CultureInfo.InvariantCulture,
            $"{result.Network}; {options.SizeMiB:N0} MiB, {options.Connections} connections, {options.Turns} turns, " +
            $"{options.Entries:N0} entries, {options.Films} films, {options.Readers} readers for {options.Seconds} s");
        var table = new Table().Border(TableBorder.Simple).Title(Markup.Escape(title)).AddColumn("");
        foreach (var name in (string[])[.. result.Sides, "ratio", "wanted", ""])
            table.AddColumn(new TableColumn(name).RightAligned());
        foreach (var row in Rows.Where(row => result.Median(MountSide.Own, row.Figure) is not null))
        {
            table.AddRow([row.Label, .. result.Sides.Select(side => new Figure(row.Figure, result.Median(side, row.Figure)).Text),
                result.Ratio(row.Figure)?.ToString("0.00", CultureInfo.InvariantCulture) ?? "-", row.Wanted,
                !row.IsAsked(result) ? "" : row.Meets!(result) ? "met" : "MISSED"]);
        }

        console.Write(table);
        console.Profile.Out.Writer.WriteLine(new Verdict("0 wrong bytes, every read answered",
            $"{result.WrongBytes:N0} of {result.BytesCompared:N0} compared", result.Failures.Count == 0));
        foreach (var failure in result.Failures)
            console.Profile.Out.Writer.WriteLine($"FAILED  {result.Network.Name}: {failure}");
    }

    /// <summary>Writes the medians as <c>network.side.figure</c>.</summary>
    public static Task WriteAsync(string path, IReadOnlyList<MountsResult> results, CancellationToken cancellationToken)
    {
        var root = new JsonObject { ["passed"] = results.All(result => result.Failures.Count == 0) };
        foreach (var result in results)
        {
            foreach (var side in result.Sides)
            {
                foreach (var row in Rows)
                {
                    if (result.Median(side, row.Figure) is { } value)
                        root[$"{result.Network.Name}.{side}.{row.Figure}"] = value;
                }
            }

            root[$"{result.Network.Name}.compared_bytes"] = result.BytesCompared;
            root[$"{result.Network.Name}.wrong_bytes"] = result.WrongBytes;
            root[$"{result.Network.Name}.met"] = JsonFile.Array(Names(result, meets: true));
            root[$"{result.Network.Name}.missed"] = JsonFile.Array(Names(result, meets: false));
        }

        root["failures"] = JsonFile.Array(
            results.SelectMany(result => result.Failures.Select(failure => $"{result.Network.Name}: {failure}")));
        return JsonFile.WriteAsync(path, root, cancellationToken);
    }

    /// <summary>The figures that meet what is wanted, or miss it.</summary>
    public static IEnumerable<string> Names(MountsResult result, bool meets) => Rows
        .Where(row => row.IsAsked(result) && row.Meets!(result) == meets)
        .Select(row => row.Figure);

    private static Func<MountsResult, bool> Most(string figure, double limit) =>
        result => result.Median(MountSide.Own, figure) <= limit;

    /// <summary>A row of the table.</summary>
    /// <param name="Figure">The figure.</param>
    /// <param name="Label">What was measured, with its unit.</param>
    /// <param name="Wanted">What is wanted; empty: nothing.</param>
    /// <param name="Meets">Whether it is met.</param>
    private sealed record Row(string Figure, string Label, string Wanted = "", Func<MountsResult, bool>? Meets = null)
    {
        /// <summary>True if something is wanted that was measured: on both sides where it is relative to rclone.</summary>
        public bool IsAsked(MountsResult result) => Meets is not null && result.Median(MountSide.Own, Figure) is not null
            && (!Wanted.Contains("rclone", StringComparison.Ordinal) || result.Ratio(Figure) is not null);
    }
}
