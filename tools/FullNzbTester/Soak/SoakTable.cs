using System.Globalization;
using System.Text.Json.Nodes;
using NzbDav.FullNzbTester.Report;

namespace NzbDav.FullNzbTester.Soak;

/// <summary>The soak's table, row by row, its verdicts, and all of it as JSON.</summary>
internal static class SoakTable
{
    /// <summary>Names of the columns.</summary>
    public static string Head => "  time    RSS MiB   heap MiB   handles   threads   connections    MB/s   longest wait ms   faults";

    public static string Line(string time, SoakSample sample) => string.Create(
        CultureInfo.InvariantCulture,
        $"{time,6} {sample.ResidentMiB,10:0} {sample.HeapMiB,10:0} {sample.Handles,9} {sample.Threads,9} {sample.Connections,13:0} " +
        $"{sample.Rate,7:0.0} {sample.LongestMs,17:#,0}   {string.Join(' ', sample.Faults)}").TrimEnd();

    public static void Write(TextWriter output, SoakOptions options, SoakResult result)
    {
        output.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"{options.Streams} players, {options.Seconds} s, seed {options.Seed}: {result.Jumps:N0} places, {result.Faults} faults"));
        foreach (var verdict in result.Verdicts(options))
            output.WriteLine(verdict);
        foreach (var failure in result.Failures.Take(20))
            output.WriteLine($"FAILED  {failure}");
    }

    public static Task WriteAsync(string path, SoakOptions options, SoakResult result, CancellationToken cancellationToken)
    {
        var verdicts = result.Verdicts(options);
        var root = new JsonObject
        {
            ["passed"] = verdicts.All(verdict => verdict.Passed),
            ["streams"] = options.Streams,
            ["seconds"] = options.Seconds,
            ["seed"] = options.Seed,
            ["wrong_bytes"] = result.Wrong,
            ["hung_reads"] = result.Hung,
            ["responses_cut"] = result.Cuts,
            ["places"] = result.Jumps,
            ["faults"] = result.Faults,
            ["peak_mib"] = result.PeakMiB,
            ["growth_mib"] = result.GrowthMiB,
            ["fairness_ratio"] = result.Fairness,
            ["longest_wait_ms"] = result.LongestMs.Max(),
            ["verdicts"] = JsonFile.Array(verdicts.Select(verdict => verdict.ToJson())),
            ["samples"] = JsonFile.Array(result.Samples.Prepend(result.Before).Append(result.After).Select(Sample)),
            ["failures"] = JsonFile.Array(result.Failures),
        };
        return JsonFile.WriteAsync(path, root, cancellationToken);
    }

    private static JsonObject Sample(SoakSample sample) => new()
    {
        ["at_s"] = sample.At.TotalSeconds,
        ["resident_mib"] = sample.ResidentMiB,
        ["heap_mib"] = sample.HeapMiB,
        ["handles"] = sample.Handles,
        ["threads"] = sample.Threads,
        ["connections"] = sample.Connections,
        ["mb_per_s"] = sample.Rate,
        ["longest_wait_ms"] = sample.LongestMs,
        ["faults"] = JsonFile.Array(sample.Faults),
    };
}
