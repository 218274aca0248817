using System.Diagnostics;
using System.Text.Json;
using System.Text.RegularExpressions;
using NzbDav.Fakes;
using NzbDav.FullNzbTester.Faults;
using NzbDav.FullNzbTester.Mounts;
using NzbDav.FullNzbTester.Processes;
using NzbDav.FullNzbTester.Report;

namespace NzbDav.FullNzbTester.Tests;

/// <summary>The program as a user runs it, including mock, server and content process.</summary>
public sealed class ProgramTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(3);

    [Fact]
    public async Task A_whole_run_passes_and_writes_its_figures()
    {
        var path = Path.Combine(Path.GetTempPath(), $"{Guid.NewGuid():N}.json");
        try
        {
            var (code, said) = await RunAsync("--json", path, "--readers", "2");

            Assert.True(code == 0, said);
            var figures = await FigureFile.ReadAsync(path, CancellationToken.None);
            Assert.Equal(0, figures["loopback.wrong_bytes"]);
            Assert.True(figures["loopback.compared_bytes"] > 8 << 20);
            Assert.True(figures["loopback.webdav_sequential_mb_per_s"] > 0);
            Assert.True(figures["loopback.floor_mb_per_s"] > 0);
            Assert.True(figures["loopback.server_cpu_s_per_gb"] > 0);
            Assert.True(figures["loopback.webdav_player_middle_ms"] > 0);

            // The server's counters are the ones that the tester looks for: each stage is listed, with its costs.
            string[] seen =
            [
                "queue_wait_mean_ms", "first_byte_mean_ms", "decode_mean_ms", "socket_write_mean_ms",
                "articles_over_served_ratio", "bytes_over_served_ratio", "pipeline_depth_mean", "buffered_peak_mib",
                "allocated_bytes_per_byte",
            ];
            Assert.All(seen, name => Assert.True(figures.GetValueOrDefault($"loopback.server_{name}") > 0, $"{name}\n{said}"));

            // A reader that never had to wait is no fault, nor are articles that came whole with their first byte.
            string[] counted =
            [
                "receive_mean_ms", "hand_over_count_per_gb", "reader_wait_count_per_gb", "connect_count_per_gb", "fetched_twice_per_gb",
                "hedged_per_gb", "left_unread_per_gb", "budget_refusals_per_gb", "gen0_collections_per_gb", "gen1_collections_per_gb",
                "gen2_collections_per_gb",
            ];
            Assert.All(counted, name => Assert.True(figures.ContainsKey($"loopback.server_{name}"), $"{name}\n{said}"));
            Assert.All(said.Split('\n'), line => Assert.True(line.Length <= SummaryTable.Width, line));
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Fact]
    public async Task A_TLS_run_resumes_sessions_and_is_reported_beside_the_plain_text_run()
    {
        var path = Path.Combine(Path.GetTempPath(), $"{Guid.NewGuid():N}.json");
        try
        {
            var (code, said) = await RunAsync("--json", path, "--readers", "0", "--plain", "--tls");

            Assert.True(code == 0, said);
            var figures = await FigureFile.ReadAsync(path, CancellationToken.None);
            Assert.Equal(0, figures["loopback-tls.wrong_bytes"]);

            // Both networks read the file more than once. An aborted seek compares only what it happened to receive.
            Assert.All(new[] { "loopback", "loopback-tls" }, profile => Assert.True(figures[$"{profile}.compared_bytes"] > 2 * (8 << 20)));
            Assert.True(figures["loopback-tls.tls_over_plain_sequential_ratio"] > 0);
            Assert.True(figures["loopback-tls.tls_handshakes_resumed"] > 0);
            Assert.False(figures.ContainsKey("loopback.tls_handshakes"));

            Assert.True(figures["loopback-tls.server_connect_mean_ms"] > 0);
            Assert.True(figures["loopback-tls.webdav_first_get_unconnected_ms"] > 0);
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Theory]
    [InlineData("flip", "byte 2,796,202 is wrong")]
    [InlineData("skip", "716,800 bytes were left out")]
    public async Task A_planted_fault_fails_the_run_and_names_its_stage(string fault, string complaint)
    {
        var (code, said) = await RunAsync("--plant", fault, "--readers", "0");

        Assert.Equal(1, code);
        Assert.Matches($"FAILED  loopback: sequential \\(content stream\\): .*{complaint}", said);
    }

    [Theory]
    [InlineData("--plain")]
    [InlineData("--tls")]
    public async Task Missing_articles_are_reported_at_both_levels(string transport)
    {
        // 4 of 94: fewer than make the import refuse the post.
        var (code, said) = await StartAsync(
            ["--test-full-nzb", "--mock-server", "--profile", "loopback", "--size", "64", "--seeks", "3", "--max-read-ms", "60000",
                "--missing", "0.05", "--readers", "0", transport]);

        Assert.True(code == 0, said);
        var gone = Regex.Matches(said, @"articles gone / (?:reported as gone|refused / cut off) +([1-9]\d*) / (\d+)( / (\d+))?");
        Assert.Equal(2, gone.Count);
        Assert.Equal(gone[0].Groups[1].Value, gone[0].Groups[2].Value);
        Assert.Equal(gone[0].Groups[1].Value, gone[1].Groups[1].Value);
    }

    [Fact]
    public async Task Refusing_a_post_with_too_many_missing_articles_passes()
    {
        var (code, said) = await RunAsync("--missing", "0.2", "--readers", "0");

        Assert.True(code == 0, said);
        Assert.Contains("refused, as it may be with articles gone", said, StringComparison.Ordinal);
        Assert.Contains("(missing-articles)", said, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Damaged_articles_are_refetched_and_never_delivered_as_complete()
    {
        var (code, said) = await RunAsync("--corrupt", "0.3", "--readers", "0");

        Assert.True(code == 0, said);
    }

    [Fact]
    public async Task A_small_fault_matrix_passes_and_writes_its_cells()
    {
        var path = Path.Combine(Path.GetTempPath(), $"{Guid.NewGuid():N}.json");
        try
        {
            // Speed and lateness mean nothing on a machine that builds something else at the same time.
            var (code, said) = await StartAsync(
                ["--test-faults", "--faults", "missing-5", "--layouts", "AES", "--streams", "2", "--transport", "tls", "--size", "8",
                    "--article-size", "20000", "--least-ratio", "0", "--most-p99-ms", "60000", "--again", "0", "--json", path]);

            Assert.True(code == 0, said);
            using var json = JsonDocument.Parse(await File.ReadAllTextAsync(path));
            Assert.True(json.RootElement.GetProperty("passed").GetBoolean());
            var cells = json.RootElement.GetProperty("cells").EnumerateArray().ToArray();
            var cell = Assert.Single(cells);
            Assert.Equal(0, cell.GetProperty("wrong_bytes").GetInt64());
            Assert.True(cell.GetProperty("faults_struck").GetInt64() > 0);
            Assert.True(cell.GetProperty("throughput_ratio").GetDouble() > 0);
            Assert.All(said.Split('\n').Where(line => line.Contains("  ", StringComparison.Ordinal) && !line.StartsWith('[')),
                line => Assert.True(line.Length <= MatrixTable.Width, line));
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Fact]
    public async Task A_short_soak_passes()
    {
        var (code, said) = await StartAsync(
            ["--test-soak", "--seconds", "10", "--streams", "12", "--size", "8", "--article-size", "100000", "--rate", "400000",
                "--most-mib", "600", "--most-growth-mib", "300", "--most-wait-s", "60", "--least-share", "0.1"]);

        Assert.True(code == 0, said);
        Assert.Matches(@"12 players, 10 s, seed 1: \d+ places, [1-9]\d* faults", said);
        Assert.Contains("passed  0 wrong bytes", said, StringComparison.Ordinal);
        Assert.Contains("passed  buffers, leases and readers given back: all", said, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_small_comparison_of_mounts_reads_every_byte_and_writes_its_figures()
    {
        var path = Path.Combine(Path.GetTempPath(), $"{Guid.NewGuid():N}.json");
        try
        {
            var (code, said) = await StartAsync(
                ["--test-mount", "--profile", "loopback", "--size", "4", "--turns", "1", "--seeks", "3", "--entries", "30", "--films", "2",
                    "--readers", "2", "--seconds", "1", "--without-rclone", "--json", path]);

            if (said.StartsWith(MountsCommand.Skipped, StringComparison.Ordinal))
                Needs.Skip($"Nothing can be mounted here. {said}");
            Assert.True(code == 0, said);
            var figures = await FigureFile.ReadAsync(path, CancellationToken.None);
            Assert.Equal(0, figures["loopback.wrong_bytes"]);

            // The film, the seeks beside ranges, and the readers.
            Assert.True(figures["loopback.compared_bytes"] >= (4 << 20) + (6 << 20) + 4_000_000, said);

            // Of six articles one or two may be pinned by then; none is fetched that is not needed.
            Assert.InRange(figures["loopback.mount.articles_over_needed_ratio"], 0.1, 1.01);
            string[] measured =
            [
                "sequential_mb_per_s", "seek_p50_ms", "webdav_p50_ms", "ls_first_ms", "ls_again_ms", "published_ms",
                "deleted_ms", "crowd_longest_wait_ms", "server_peak_mib",
            ];
            Assert.All(measured, name => Assert.True(figures.GetValueOrDefault($"loopback.mount.{name}") > 0, $"{name}\n{said}"));

            // Reading 4 MiB may cost less than a tick of the clock of the processor's time, which is 10 ms.
            Assert.True(figures["loopback.mount.cpu_s_per_gb"] >= 0, said);
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Fact]
    public async Task A_small_measurement_of_playing_at_once_compares_its_bytes()
    {
        var (code, said) = await StartAsync(["--test-play", "--profile", "loopback", "--posts", "2", "--size", "24", "--volume", "5"]);

        Assert.True(code == 0, said);
        Assert.Contains("until the address is there", said, StringComparison.Ordinal);
        Assert.Contains("passed", said, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Without_an_account_the_tester_asks_for_one()
    {
        var (code, said) = await StartAsync(["--test-full-nzb", typeof(ProgramTests).Assembly.Location]);

        Assert.Equal(2, code);
        Assert.Contains("NzbDav__Usenet__Providers__0__Host", said, StringComparison.Ordinal);
    }

    // The time limit of a read is off: a machine that builds something else at the same time may be late.
    private static Task<(int Code, string Said)> RunAsync(params string[] more) => StartAsync(
        ["--test-full-nzb", "--mock-server", "--profile", "loopback", "--size", "8", "--seeks", "3", "--streams", "2", "--max-read-ms",
            "60000", .. more]);

    private static async Task<(int Code, string Said)> StartAsync(IReadOnlyList<string> arguments)
    {
        var start = new ProcessStartInfo(DotnetHost.Muxer, [DotnetHost.Server, .. arguments])
        { UseShellExecute = false, RedirectStandardOutput = true, RedirectStandardError = true };
        foreach (var name in start.Environment.Keys.Where(name => name.StartsWith("NzbDav__", StringComparison.OrdinalIgnoreCase))
            .ToArray())
            start.Environment.Remove(name);
        using var process = Process.Start(start)!;
        using var limit = new CancellationTokenSource(Limit);
        await using var stop = limit.Token.Register(() => process.Kill(entireProcessTree: true));
        var said = process.StandardOutput.ReadToEndAsync(CancellationToken.None);
        var complained = process.StandardError.ReadToEndAsync(CancellationToken.None);
        await process.WaitForExitAsync(CancellationToken.None);
        return (process.ExitCode, await said + await complained);
    }
}
