using System.Text;
using NzbDav.Conformance.Tests.Stubs;
using Xunit.Sdk;

namespace NzbDav.Conformance.Tests;

/// <summary>RNG-18: the checker of every 206 detects the faults that it is meant to detect.</summary>
public class StrictRangeTests
{
    [Theory]
    [InlineData("bytes 10-19/1000", 10, true)]
    [InlineData("bytes 10-19 / 1000", 10, false)]
    [InlineData("bytes  10-19/1000", 10, false)]
    [InlineData("bytes 10-19/*", 10, false)]
    [InlineData("bytes 10-19", 10, false)]
    [InlineData("bytes=10-19/1000", 10, false)]
    [InlineData("items 10-19/1000", 10, false)]
    [InlineData("bytes 9-19/1000", 11, false)]
    [InlineData("bytes 10-20/1000", 11, false)]
    [InlineData("bytes 10-19/1001", 10, false)]
    [InlineData("bytes 10-19/1000", 9, false)]
    [InlineData("bytes 10-19/1000", 11, false)]
    [InlineData(null, 10, false)]
    public void RNG_18_only_the_exact_answer_passes(string? contentRange, int length, bool passes)
    {
        var header = contentRange is null ? "" : $"Content-Range: {contentRange}\r\n";
        Check($"HTTP/1.1 206 Partial Content\r\n{header}Content-Length: {length}\r\n\r\n", StubBytes.Slice(10, 10 + length), passes);
    }

    [Fact]
    public void RNG_18_other_bytes_and_other_statuses_do_not_pass()
    {
        const string Head = "Content-Range: bytes 10-19/1000\r\nContent-Length: 10\r\n";
        Check("HTTP/1.1 206 Partial Content\r\n" + Head + "\r\n", StubBytes.Slice(11, 21), passes: false);
        Check("HTTP/1.1 206 Partial Content\r\n" + Head + "\r\n", StubBytes.Slice(10, 15), passes: false);
        Check("HTTP/1.1 206 Partial Content\r\n" + Head + "Content-Encoding: gzip\r\n\r\n", StubBytes.Slice(10, 20), passes: false);
        Check("HTTP/1.1 200 OK\r\n" + Head + "\r\n", StubBytes.Slice(10, 20), passes: false);
        Check("HTTP/1.1 206 Partial Content\r\n" + Head + "\r\n", StubBytes.Slice(10, 20), passes: true);
    }

    private static void Check(string head, byte[] body, bool passes)
    {
        var response = RawResponse.Parse([.. Encoding.ASCII.GetBytes(head), .. body], isHead: false);
        var failure = Record.Exception(() => StrictRange.Check(response, 10, 19, 1000));
        Assert.Equal(passes, failure is null);
        Assert.True(failure is null or XunitException, failure?.ToString());
    }
}
