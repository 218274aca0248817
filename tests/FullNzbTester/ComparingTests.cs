using System.Security.Cryptography;
using NzbDav.FullNzbTester.Comparing;
using NzbDav.FullNzbTester.Stages;

namespace NzbDav.FullNzbTester.Tests;

public sealed class ComparingTests
{
    private readonly LevelFixture _fixture = new("WebDAV");

    [Fact]
    public void Too_many_bytes_fail()
    {
        var check = new SourceReference(_fixture.Source).Open(Stage(), _fixture.Bytes.Length - 10);
        check.Take([.. _fixture.Bytes[^10..], 1, 2]);
        check.Dispose();

        Assert.StartsWith("byte 4,194,304 is one too many", _fixture.Failure.Message, StringComparison.Ordinal);
        Assert.Equal(2, _fixture.Findings.WrongBytes);
    }

    [Fact]
    public void A_range_that_begins_elsewhere_fails()
    {
        using (var check = new SourceReference(_fixture.Source).Open(Stage(), 1000))
            check.Take(_fixture.Bytes.AsSpan(1001, 100));

        Assert.Contains("1 bytes were left out", _fixture.Failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_range_is_recorded_with_its_checksum()
    {
        var reference = new RecordingReference();
        using (var check = reference.Open(Stage(), 5))
        {
            check.Take(_fixture.Bytes.AsSpan(5, 10));
            check.Take(_fixture.Bytes.AsSpan(15, 10));
        }

        Assert.Equal(new RangeRecord("seek (WebDAV)", 5, 20, Convert.ToHexString(SHA256.HashData(_fixture.Bytes.AsSpan(5, 20)))),
            Assert.Single(reference.Records));
    }

    private Stage Stage() => new("seek", "WebDAV", _fixture.Findings, _ => { });
}
