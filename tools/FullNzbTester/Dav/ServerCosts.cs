using System.Globalization;
using NzbDav.FullNzbTester.Findings;

namespace NzbDav.FullNzbTester.Dav;

/// <summary>The costs of some reads by the server's own counters: number, mean and total time of each stage, and resources used.</summary>
/// <param name="before">The counters before; null when the server shows none.</param>
/// <param name="after">The counters after.</param>
/// <param name="gigabytes">Amount read in between, in 10⁹ bytes.</param>
internal sealed class ServerCosts(MetricsPage? before, MetricsPage? after, double gigabytes)
{
    private const string Block = "inside the server, per GB served";

    private const string Articles = "nzbdav_usenet_articles_total";
    private const string Read = "nzbdav_reader_bytes_total";
    private const string Served = "nzbdav_webdav_bytes_total";

    /// <summary>In the order in which a byte passes through them. A reader's wait covers everything before the hand-over.</summary>
    private static readonly (string Label, string Key, string Metric, string Beside)[] Stages =
    [
        ("queue wait", "queue_wait", "nzbdav_usenet_queue_wait_seconds", Articles),
        ("connect", "connect", "nzbdav_usenet_connect_seconds", Articles),
        ("request → first byte", "first_byte", "nzbdav_usenet_first_byte_seconds", Articles),
        ("receive", "receive", "nzbdav_usenet_receive_seconds", Articles),
        ("decode", "decode", "nzbdav_usenet_decode_seconds", Articles),
        ("hand-over", "hand_over", "nzbdav_reader_hand_over_seconds", Read),
        ("socket write", "socket_write", "nzbdav_webdav_socket_write_seconds", Served),
        ("reader wait", "reader_wait", "nzbdav_reader_wait_seconds", Read),
    ];

    /// <summary>The rows of the table. A dash stands for what the server does not show.</summary>
    /// <param name="cpu">CPU time of the server's process during the reads.</param>
    /// <param name="bufferedMiB">Peak of its payload buffers.</param>
    public IEnumerable<FigureRow> Rows(TimeSpan? cpu, double? bufferedMiB)
    {
        foreach (var (label, key, metric, beside) in Stages)
            yield return StageRow(label, key, metric, beside);
        yield return Fetched();
        yield return Row("articles fetched twice", Counter("server_fetched_twice_per_gb", "nzbdav_segments_fetched_again_total", Read));
        yield return Row(
            "articles hedged / left unread",
            Counter("server_hedged_per_gb", "nzbdav_usenet_hedges_total", "nzbdav_usenet_article_bytes_total"),
            Counter("server_left_unread_per_gb", "nzbdav_segments_unread_total", Read));
        yield return Row("pipeline depth, mean", new Figure(
            "server_pipeline_depth_mean", Ratio(Since("nzbdav_usenet_pipeline_depth_sum"), Since("nzbdav_usenet_pipeline_depth_count"))));
        yield return Row(
            "budget refusals (waits)", new Figure("server_budget_refusals_per_gb", Since("nzbdav_budget_refusals_total") / gigabytes));
        yield return Row("buffered at most, MiB", new Figure("server_buffered_peak_mib", bufferedMiB));
        yield return Row("allocated bytes per byte",
            new Figure("server_allocated_bytes_per_byte", (after?.Allocated - before?.Allocated) / (gigabytes * 1e9)));
        yield return Row("collections, gen 0 / 1 / 2", [.. Enumerable.Range(0, 3)
            .Select(generation => new Figure($"server_gen{generation}_collections_per_gb", Collections(generation) / gigabytes))]);
        yield return Row("gen-2 collections in all", new Figure("server_gen2_collections", Collections(2)));
        yield return Row("CPU, s", new Figure("server_cpu_s_per_gb", cpu?.TotalSeconds / gigabytes));
    }

    private static FigureRow Row(string label, params IReadOnlyList<Figure> figures) => new(Block, label, figures);

    private FigureRow StageRow(string label, string key, string metric, string beside)
    {
        var (count, sum) = (SinceOrNone($"{metric}_count", beside), SinceOrNone($"{metric}_sum", beside));
        var mean = Ratio(sum, count);
        Figure[] figures =
        [
            new($"server_{key}_count_per_gb", count / gigabytes),
            new($"server_{key}_mean_ms", mean * 1000),
            new($"server_{key}_s_per_gb", sum / gigabytes),
        ];
        var cell = count is null || sum is null ? "-" : count == 0 ? "0"
            : string.Create(CultureInfo.InvariantCulture,
                $"{count / gigabytes:0}×{Duration.Text(mean ?? 0)} = {Duration.Seconds(sum.Value / gigabytes)}");
        return new FigureRow(Block, label, figures, Cell: cell);
    }

    /// <summary>Articles requested, successfully or not, relative to those that hold the bytes served; and intact bytes received relative
    /// to bytes served.</summary>
    private FigureRow Fetched()
    {
        var (bytes, served) = (Since("nzbdav_usenet_article_bytes_total"), Since(Served));
        var needed = served / Ratio(bytes, Since(Articles, "outcome=\"found\""));
        return Row(
            "fetched / served: articles, bytes",
            new Figure("server_articles_over_served_ratio", Ratio(Since(Articles), needed)),
            new Figure("server_bytes_over_served_ratio", Ratio(bytes, served)));
    }

    private Figure Counter(string name, string metric, string beside) => new(name, SinceOrNone(metric, beside) / gigabytes);

    /// <summary>
    /// A rare event. Instruments appear with their first event, so a missing one is 0 if another one of the same meter is there.
    /// </summary>
    private double? SinceOrNone(string metric, string beside) => Since(metric) ?? (Since(beside) is null ? null : 0);

    private double? Collections(int generation) => Since("dotnet_gc_collections_total", $"\"gen{generation}\"");

    private double? Since(string metric, string label = "") => after?.Total(metric, label) - (before?.Total(metric, label) ?? 0);

    private static double? Ratio(double? part, double? whole) => whole > 0 ? part / whole : null;
}
