using NzbDav.FullNzbTester.Comparing;
using NzbDav.FullNzbTester.Dav;
using NzbDav.FullNzbTester.Options;
using NzbDav.FullNzbTester.Processes;
using NzbDav.FullNzbTester.Stages;

namespace NzbDav.FullNzbTester.Tests;

/// <summary>The tester at the level of WebDAV, against a server with one fault.</summary>
public sealed class DavLevelTests
{
    private const long Sequentially = 1_234_567;

    private readonly LevelFixture _fixture = new("WebDAV");

    [Fact]
    public async Task A_correct_file_passes_and_is_measured()
    {
        await RunAsync(ServerFault.None, 0);

        Assert.Empty(_fixture.Findings.Failures);
        Assert.NotNull(_fixture.Findings["webdav_seek_p50_ms"]);
        Assert.NotNull(_fixture.Findings["webdav_closed_whole_p95_ms"]);
        Assert.NotNull(_fixture.Findings["webdav_player_start_ms"]);
        Assert.NotNull(_fixture.Findings["webdav_player_head_ms"]);
        Assert.NotNull(_fixture.Findings["webdav_player_tail_ms"]);
        Assert.NotNull(_fixture.Findings["webdav_player_middle_ms"]);
        Assert.NotNull(_fixture.Findings["webdav_again_p50_ms"]);
        Assert.NotNull(_fixture.Findings["webdav_read_p99_ms"]);
    }

    [Fact]
    public async Task A_flipped_byte_is_found_with_its_position()
    {
        await SequentialAsync(ServerFault.Flip);

        Assert.Equal("sequential (WebDAV)", _fixture.Failure.Stage);
        Assert.StartsWith("byte 1,234,567 is wrong (0x", _fixture.Failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_skipped_article_is_found_and_named_as_such()
    {
        await SequentialAsync(ServerFault.Skip);

        Assert.All(_fixture.Findings.Failures, failure => Assert.Equal("sequential (WebDAV)", failure.Stage));
        Assert.Contains(
            _fixture.Findings.Failures, failure => failure.Message.Contains("716,800 bytes were left out", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_late_seek_is_found()
    {
        var place = SeekPlaces.At(_fixture.Bytes.Length, 90);
        await using var late = new FaultyServer(_fixture.Bytes, ServerFault.Delay, place, _fixture.Time.Advance);

        await new SeekStages(Reads(late)).SeekAsync(CancellationToken.None);

        // The first open-ended range that holds that byte is the one that seeks to 10 %.
        Assert.Equal($"seek (WebDAV): first read at byte {SeekPlaces.At(_fixture.Bytes.Length, 10):N0} took 2,000 ms, limit 1,500 ms.",
            _fixture.Failure.ToString());
    }

    /// <summary>A server that is slow where a player reads its index is reported as slow there, and nowhere else.</summary>
    [Theory]
    [InlineData(100, "webdav_player_head_ms")]
    [InlineData((4 << 20) - 100, "webdav_player_tail_ms")]
    [InlineData(1_600_000, "webdav_player_middle_ms")]
    public async Task A_player_start_is_measured_as_three_reads(long at, string slow)
    {
        await using var late = new FaultyServer(_fixture.Bytes, ServerFault.Delay, at, _fixture.Time.Advance);

        await new SeekStages(Reads(late)).PlayerStartAsync(CancellationToken.None);

        string[] reads = ["webdav_player_head_ms", "webdav_player_tail_ms", "webdav_player_middle_ms"];
        Assert.All(reads, name => Assert.Equal(name == slow ? 2000 : 0, _fixture.Findings[name]));
        Assert.Equal(2000, _fixture.Findings["webdav_player_start_ms"]);
    }

    [Theory]
    [InlineData(ServerFault.Cut, "the connection ended 2,959,737 bytes early")]
    [InlineData(ServerFault.ShortInPeace, "1,234,567 bytes from 0 on were promised, 4,194,304 from 0 on were asked for")]
    [InlineData(ServerFault.Refuse, "the server said 503")]
    public async Task An_incomplete_response_is_found(object fault, string message)
    {
        await SequentialAsync((ServerFault)fault);

        Assert.Equal($"sequential (WebDAV): bytes 0 to 4,194,303: {message}.", _fixture.Failure.ToString());
    }

    [Fact]
    public async Task A_cut_response_is_retried_only_if_damaged_articles_are_expected()
    {
        await SequentialAsync(ServerFault.Cut, corrupt: 0.1);

        Assert.Empty(_fixture.Findings.Failures);
        Assert.Equal(1, _fixture.Findings.BrokenOff);
    }

    [Theory]
    [InlineData(ServerFault.Cut, null)]
    [InlineData(ServerFault.Refuse, null)]
    [InlineData(ServerFault.None, "its bytes were served nevertheless")]
    [InlineData(ServerFault.ShortInPeace, "were promised")]
    public async Task A_hole_must_be_reported(object fault, string? complaint)
    {
        const long Hole = 2 * MockPost.ArticleSize;
        await using var server = new FaultyServer(_fixture.Bytes, (ServerFault)fault, Hole, _fixture.Time.Advance);
        await new DavHoles(Reads(server), new HashSet<int> { 2 }, articles: 6).WalkAsync(CancellationToken.None);

        if (complaint is null)
            Assert.Empty(_fixture.Findings.Failures);
        else
            Assert.Contains(complaint, _fixture.Failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("nzbdav_readers_open 1\nnzbdav_readers_opened_total 7\n", "nzbdav_readers_open is still 1")]
    [InlineData("nzbdav_readers_open 0\nnzbdav_readers_opened_total 7\n", null)]
    [InlineData(null, null)]
    public async Task A_reader_left_open_is_found(string? page, string? complaint)
    {
        var reads = new DavReads(new DavTarget(new Uri("http://127.0.0.1:1/"), "", 1), new SourceReference(_fixture.Source),
            _fixture.Stages, Options(0), new ScriptedMeter(page), null);

        await _fixture.CompleteAsync(new LeaseStage(reads).RunAsync(CancellationToken.None));

        if (complaint is null)
            Assert.Empty(_fixture.Findings.Failures);
        else
            Assert.StartsWith($"leases (WebDAV): {complaint}", _fixture.Failure.ToString(), StringComparison.Ordinal);
    }

    private static TesterOptions Options(double corrupt) =>
        new() { SizeMiB = 4, Seeks = 4, Streams = 2, Readers = 3, Passes = 2, Corrupt = corrupt };

    private DavReads Reads(FaultyServer server, double corrupt = 0) =>
        new(server.Target, new SourceReference(_fixture.Source), _fixture.Stages, Options(corrupt), new ScriptedMeter(null), null);

    private async Task SequentialAsync(ServerFault fault, double corrupt = 0)
    {
        await using var server = new FaultyServer(_fixture.Bytes, fault, Sequentially, _fixture.Time.Advance);
        await new FlowStages(Reads(server, corrupt)).SequentialAsync(CancellationToken.None);
    }

    private async Task RunAsync(ServerFault fault, long at)
    {
        await using var server = new FaultyServer(_fixture.Bytes, fault, at, _fixture.Time.Advance);
        await new SeekStages(Reads(server)).RunAsync(CancellationToken.None);
        await new FlowStages(Reads(server)).SequentialAsync(CancellationToken.None);
        await new FlowStages(Reads(server)).UncomparedAsync(CancellationToken.None);
        await new FlowStages(Reads(server)).StreamsAsync(CancellationToken.None);
        await new FlowStages(Reads(server)).ReadersAsync(CancellationToken.None);
    }
}
