using System.Security.Cryptography;
using NzbDav.Fakes;
using NzbDav.FullNzbTester.Comparing;
using NzbDav.FullNzbTester.Content;

namespace NzbDav.FullNzbTester.Tests;

public sealed class SecondReadTests
{
    private readonly LevelFixture _fixture = new("content stream");

    [Fact]
    public async Task Equal_reads_pass()
    {
        await RunAsync(Range("sequential (WebDAV)", 0, 4 << 20), Range("seek (WebDAV)", 77, 1));

        Assert.Empty(_fixture.Findings.Failures);
        Assert.Equal((4 << 20) + 1, _fixture.Findings.BytesCompared);
    }

    [Fact]
    public async Task A_wrong_read_is_reported_under_its_own_stage()
    {
        await RunAsync(Range("seek (WebDAV)", 77, 100) with { Start = 78 });

        Assert.Equal("second read (content stream): seek (WebDAV): the 100 bytes from 78 on are not those of the second read.",
            _fixture.Failure.ToString());
    }

    [Fact]
    public async Task A_read_beyond_the_end_of_the_file_is_found()
    {
        await RunAsync(Range("seek (WebDAV)", 77, 100) with { Length = 5 << 20 });

        Assert.Contains("of a file of 4,194,304", _fixture.Failure.Message, StringComparison.Ordinal);
    }

    private RangeRecord Range(string stage, int start, int length) =>
        new(stage, start, length, Convert.ToHexString(SHA256.HashData(_fixture.Bytes.AsSpan(start, length))));

    private Task RunAsync(params RangeRecord[] ranges) =>
        new SecondRead(new MemoryContent(_fixture.Bytes), ranges, _fixture.Stages).RunAsync(CancellationToken.None);
}
