using NzbDav.FullNzbTester.Faults;

namespace NzbDav.FullNzbTester.Tests;

public sealed class MatrixTests
{
    private static readonly MatrixOptions Options = new();
    private static readonly FilmReading Usual = new() { Rate = 40, P99 = 20, Compared = 1_000 };
    private static readonly FilmReading Good = new() { Rate = 36, P99 = 30, Longest = 200, Compared = 1_000, Struck = 3 };

    [Fact]
    public void A_good_cell_meets_every_requirement()
    {
        var cell = Cell(Good);

        Assert.Empty(cell.Failures(Options));
        Assert.Equal(0.9, cell.Ratio, 6);
        Assert.All(MatrixTable.Verdicts(Options, [cell]), verdict => Assert.True(verdict.Passed, verdict.Demand));
    }

    [Fact]
    public void Each_unmet_requirement_is_reported()
    {
        AssertFails(Good with { Wrong = 1 }, "0 wrong bytes", "1 wrong bytes");
        AssertFails(Good with { Hung = 1, Failures = ["a read did not end"] }, "0 hung reads", "a read did not end");
        AssertFails(Good with { Restarts = 1, Failures = ["the server logged: ERR"] }, "0 restarts, no error logged, every read answered",
            "the server logged: ERR");
        AssertFails(Good with { Rate = 27 }, "throughput ≥ 0.70 of that without the fault",
            "throughput is 0.68 of 40.0 MB/s without the fault, 0.70 is wanted");
        AssertFails(Good with { P99 = 2_500 }, "p99 of a read ≤ 2,000 ms", "the p99 of a read is 2,500 ms, 2,000 ms is the most");
        AssertFails(Good with { Struck = 0 }, "every fault struck", "the fault never struck");
    }

    [Fact]
    public void Each_reading_is_compared_with_its_neighbours_and_the_median_counts()
    {
        FilmReading At(double rate) => Usual with { Rate = rate };
        var cell = new MatrixCell(FaultScenario.All[0], PostLayout.All[0], 1, false,
            [Good with { Rate = 10 }, Good with { Rate = 30 }, Good with { Rate = 20 }], [At(40), At(40), At(20), At(20)]);

        // 10 of 40, 30 of 30, 20 of 20: the median is 1.
        Assert.Equal(1, cell.Ratio, 6);
        Assert.False(cell.FallsShort(Options));
    }

    [Fact]
    public void The_whole_matrix_has_240_cells() => Assert.Equal(240, Options.Cells);

    [Theory]
    [InlineData("--faults earthquake", "earthquake")]
    [InlineData("--streams 0", "--streams must be numbers from 1 to 64.")]
    [InlineData("--size 0", "--size must be at least 1.")]
    public void Unknown_faults_and_layouts_are_refused(string line, string complaint)
    {
        var errors = FaultsCommand.Create().Parse($"{FaultsCommand.Name} {line}").Errors;

        Assert.Contains(complaint, Assert.Single(errors).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Server_errors_are_found_in_its_log_and_warnings_do_not_count()
    {
        const string Said =
            "21:04:10 INF It serves WebDAV at …\n21:04:11 WRN Provider news-a: refused\n21:04:12 ERR The connection ended\n   at " +
            "somewhere\n21:04:13 FTL It ends\n";

        Assert.Equal(["21:04:12 ERR The connection ended", "21:04:13 FTL It ends"], ServerLog.Errors(Said));
    }

    private static void AssertFails(FilmReading reading, string demand, string failure)
    {
        var cell = Cell(reading);
        Assert.Contains(failure, cell.Failures(Options));
        Assert.False(MatrixTable.Verdicts(Options, [cell]).Single(verdict => verdict.Demand == demand).Passed);
    }

    private static MatrixCell Cell(FilmReading reading) =>
        new(FaultScenario.All[0], PostLayout.All[0], 1, false, [reading], [Usual, Usual]);
}
