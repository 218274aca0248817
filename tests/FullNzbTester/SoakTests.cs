using NzbDav.FullNzbTester.Soak;

namespace NzbDav.FullNzbTester.Tests;

public sealed class SoakTests
{
    private static readonly SoakOptions Options = new();

    [Fact]
    public void A_good_soak_meets_every_requirement() =>
        Assert.All(Result().Verdicts(Options), verdict => Assert.True(verdict.Passed, $"{verdict.Demand}: {verdict.Measured}"));

    [Fact]
    public void Each_unmet_requirement_is_reported()
    {
        AssertFails(Result() with { Wrong = 1 }, "0 wrong bytes");
        AssertFails(Result() with { Failures = ["player 3: it ended"] }, "0 hung reads");
        AssertFails(Result() with { PeakMiB = 351 }, "memory ≤ 350 MiB");
        AssertFails(Result() with { Samples = [.. Enumerable.Range(0, 10).Select(index => At(200 + (index * 6)))] }, "memory flat");
        AssertFails(Result() with { Held = [("nzbdav_readers_open", 1)] }, "buffers");
        AssertFails(Result() with { After = At(200) with { Handles = 141 } }, "handles");
        AssertFails(Result() with { LongestMs = [100, 10_001] }, "none starved");
        AssertFails(Result() with { Received = [700, 1_000, 1_000] }, "fair");
    }

    [Fact]
    public void Connections_to_providers_do_not_count_as_a_leak()
    {
        var result = Result() with { After = At(200) with { Handles = 116 + 40, Connections = 56 } };

        Assert.All(result.Verdicts(Options), verdict => Assert.True(verdict.Passed, verdict.Measured));
    }

    private static void AssertFails(SoakResult result, string demand) =>
        Assert.StartsWith(demand, Assert.Single(result.Verdicts(Options), verdict => !verdict.Passed).Demand, StringComparison.Ordinal);

    private static SoakSample At(double residentMiB) => new() { ResidentMiB = residentMiB, Handles = 116, Threads = 20, Connections = 16 };

    private static SoakResult Result() => new()
    {
        Before = At(150) with { Handles = 103, Connections = 3 },
        Samples = [.. Enumerable.Repeat(At(200), 10)],
        After = At(200),
        PeakMiB = 220,
        Held = [],
        Received = [990, 1_000, 1_010],
        LongestMs = [100, 200],
        Wrong = 0,
        Cuts = 0,
        Jumps = 30,
        Hung = 0,
        Failures = [],
        Faults = 7,
    };
}
