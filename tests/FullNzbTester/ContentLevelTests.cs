using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.FullNzbTester.Comparing;
using NzbDav.FullNzbTester.Content;
using NzbDav.FullNzbTester.Options;
using NzbDav.FullNzbTester.Stages;

namespace NzbDav.FullNzbTester.Tests;

/// <summary>The tester at the level of content: correct reads pass, and each planted fault is found in the stage that it affects.</summary>
public sealed class ContentLevelTests
{
    private readonly LevelFixture _fixture = new("content stream");
    private readonly DiagnosticBufferPool _pool = new();

    [Fact]
    public async Task A_correct_file_passes_and_is_measured()
    {
        await RunAsync(PlantedFault.None, 0);

        Assert.Empty(_fixture.Findings.Failures);
        Assert.Equal(0, _fixture.Findings.WrongBytes);
        Assert.True(_fixture.Findings.BytesCompared > _fixture.Bytes.Length);
        Assert.Equal(0, _fixture.Findings["content_leaked_buffers"]);
        Assert.NotNull(_fixture.Findings["content_seek_p95_ms"]);
        Assert.NotNull(_fixture.Findings["floor_cpu_s_per_gb"]);
        _pool.AssertAllReturned();
    }

    [Fact]
    public async Task A_flipped_byte_is_found_with_its_position()
    {
        await RunAsync(PlantedFault.Flip, 1_234_567);

        Assert.Equal("sequential (content stream)", _fixture.Failure.Stage);
        Assert.StartsWith("byte 1,234,567 is wrong (0x", _fixture.Failure.Message, StringComparison.Ordinal);
        Assert.Contains("; 1 of the 4,194,304 bytes", _fixture.Failure.Message, StringComparison.Ordinal);
        Assert.Equal(1, _fixture.Findings.WrongBytes);
    }

    [Fact]
    public async Task A_skipped_article_is_found_and_named_as_such()
    {
        await RunAsync(PlantedFault.Skip, 1_234_567);

        Assert.All(_fixture.Findings.Failures, failure => Assert.Equal("sequential (content stream)", failure.Stage));
        Assert.Contains(
            _fixture.Findings.Failures, failure => failure.Message.Contains("716,800 bytes were left out", StringComparison.Ordinal));
        Assert.Contains(_fixture.Findings.Failures, failure => failure.Message.Contains("716,800 bytes early", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_late_read_is_found()
    {
        await RunAsync(PlantedFault.Delay, 1_234_567);

        Assert.Equal("sequential (content stream)", _fixture.Failure.Stage);
        Assert.Equal("the read at byte 1,179,648 took 2,000 ms, limit 1,500 ms.", _fixture.Failure.Message);
        Assert.Equal(1, _fixture.Findings["content_stalls"]);
    }

    [Fact]
    public async Task A_late_seek_is_found_as_a_seek()
    {
        var place = SeekPlaces.At(_fixture.Bytes.Length, 50);

        await RunAsync(PlantedFault.Delay, place);

        Assert.Equal($"seek (content stream): first read at byte {place:N0} took 2,000 ms, limit 1,500 ms.", _fixture.Failure.ToString());
    }

    [Fact]
    public async Task A_leaked_lease_is_found()
    {
        await RunAsync(PlantedFault.Leak, 1_234_567);

        Assert.Equal("leases (content stream)", _fixture.Failure.Stage);
        Assert.StartsWith("1 buffers are still lent", _fixture.Failure.Message, StringComparison.Ordinal);
        Assert.Throws<InvalidOperationException>(_pool.AssertAllReturned);
    }

    [Fact]
    public async Task Unavailable_bytes_fail_their_stage()
    {
        var content = new MemoryContent(_fixture.Bytes, pool: _pool);
        content.FailAt(2_000_000, ContentFault.Missing, times: 1);

        await RunAsync(content, mayBreakOff: false);

        Assert.Equal("sequential (content stream)", _fixture.Failure.Stage);
    }

    [Fact]
    public async Task An_aborted_read_is_retried_if_damaged_articles_are_expected()
    {
        var content = new MemoryContent(_fixture.Bytes, pool: _pool);
        content.FailAt(2_000_000, ContentFault.Corrupt, times: 1);

        await RunAsync(content, mayBreakOff: true);

        Assert.Empty(_fixture.Findings.Failures);
        Assert.Equal(1, _fixture.Findings.BrokenOff);
    }

    private Task RunAsync(PlantedFault fault, long at) =>
        RunAsync(new PlantedContent(new MemoryContent(_fixture.Bytes, pool: _pool), fault, at, PassAsync), mayBreakOff: false);

    private Task RunAsync(IContent content, bool mayBreakOff)
    {
        var request = new ContentRequest
        {
            Nzb = "",
            SourceLength = content.Length,
            MostBytes = content.Length,
            Seeks = 5,
            Streams = 2,
            MaxReadMs = 1500,
            StageLimitS = 180,
            MayBreakOff = mayBreakOff,
        };
        var level = new ContentLevel(content, new SourceReference(_fixture.Source), request, _fixture.Stages, () => _pool.Rented);
        return _fixture.CompleteAsync(level.RunAsync(CancellationToken.None));
    }

    private Task PassAsync(TimeSpan time, CancellationToken cancellationToken)
    {
        _fixture.Time.Advance(time);
        return Task.CompletedTask;
    }
}
