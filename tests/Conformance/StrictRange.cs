using System.Globalization;
using System.Text.RegularExpressions;
using NzbDav.Conformance.Tests.Stubs;

namespace NzbDav.Conformance.Tests;

/// <summary>
/// rclone's check of a partial answer (backend/webdav, master 2026-08): 206 with <c>bytes S-E/SIZE</c> in plain integers, S as
/// asked, E = min(asked end, SIZE − 1), SIZE as listed, Content-Length = E − S + 1.
/// </summary>
internal static class StrictRange
{
    public static void Check(RawResponse response, long askedStart, long? askedEnd, long size)
    {
        Assert.Equal(206, response.Status);
        var match = Regex.Match(
            response["Content-Range"] ?? "", @"\Abytes ([0-9]+)-([0-9]+)/([0-9]+)\z", RegexOptions.None, TimeSpan.FromSeconds(1));
        Assert.True(match.Success, response["Content-Range"]);
        var end = Math.Min(askedEnd ?? long.MaxValue, size - 1);
        Assert.Equal(askedStart, Number(1));
        Assert.Equal(end, Number(2));
        Assert.Equal(size, Number(3));
        Assert.Equal((end - askedStart + 1).ToString(CultureInfo.InvariantCulture), response["Content-Length"]);
        Assert.True(response.IsComplete);
        Assert.Equal(StubBytes.Slice(askedStart, end + 1), response.Body);
        Assert.Null(response["Content-Encoding"]);

        long Number(int group) => long.Parse(match.Groups[group].ValueSpan, NumberStyles.None, CultureInfo.InvariantCulture);
    }
}
