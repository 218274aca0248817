using Microsoft.AspNetCore.Http;
using NzbDav.WebDav.Files;

namespace NzbDav.WebDav.Tests;

public class PreconditionsTests
{
    private const string ETag = "\"a,b\"";
    private static readonly DateTimeOffset Modified = new(2024, 3, 1, 8, 9, 10, 900, TimeSpan.Zero);

    [Theory]
    [InlineData("If-Match", "*", true, "Proceed")]
    [InlineData("If-Match", "*", false, "Failed")]
    [InlineData("If-Match", "\"a\", \"a,b\"", true, "Proceed")]
    [InlineData("If-Match", "\"a", true, "Failed")]
    [InlineData("If-Match", "", true, "Failed")]
    [InlineData("If-None-Match", "*", true, "Failed")]
    [InlineData("If-None-Match", "*", false, "Proceed")]
    [InlineData("If-None-Match", "W/\"a,b\"", true, "Failed")]
    [InlineData("If-None-Match", ",, \"x\" ,", true, "Proceed")]
    [InlineData("If-Modified-Since", "Sat, 01 Mar 2025 00:00:00 GMT", true, "Proceed")]
    [InlineData("If-Unmodified-Since", "Fri, 01 Mar 2024 08:09:10 GMT", true, "Proceed")]
    [InlineData("If-Unmodified-Since", "Fri, 01 Mar 2024 08:09:09 GMT", true, "Failed")]
    [InlineData("If-Unmodified-Since", "Fri, 01 Mar 2024 08:09:09 GMT", false, "Proceed")]
    public void Preconditions_of_writes_are_evaluated(string header, string value, bool exists, string expected)
    {
        var headers = new HeaderDictionary { [header] = value };
        Assert.Equal(expected, Preconditions.Evaluate(headers, isRead: false, exists ? ETag : null, Modified).ToString());
    }

    [Fact]
    public void If_match_is_evaluated_before_if_none_match()
    {
        var headers = new HeaderDictionary { ["If-Match"] = "\"x\"", ["If-None-Match"] = "*" };
        Assert.Equal(PreconditionOutcome.Failed, Preconditions.Evaluate(headers, isRead: true, ETag, Modified));
        headers["If-Match"] = "*";
        Assert.Equal(PreconditionOutcome.NotModified, Preconditions.Evaluate(headers, isRead: true, ETag, Modified));
    }

    [Fact]
    public void Several_header_lines_are_one_list()
    {
        var headers = new HeaderDictionary { ["If-None-Match"] = new(["\"x\"", "\"y\", \"a,b\""]) };
        Assert.Equal(PreconditionOutcome.NotModified, Preconditions.Evaluate(headers, isRead: true, ETag, Modified));
    }
}
