using System.Globalization;
using NzbDav.Conformance.Tests.Stubs;

namespace NzbDav.Conformance.Tests.Files;

/// <summary>A store with one film, and the checks of an answer about it.</summary>
internal sealed class FilmStore
{
    public const long Size = 1_000_003;
    public const string Film = "/dav/film.mkv";
    public const string Modified = "Fri, 01 Mar 2024 08:09:10 GMT";
    public const string ETag = "\"stub-1\"";

    public FilmStore() => File = Store.Root.Add(new StubFile("film.mkv", Content));

    public StubStore Store { get; } = new();

    public StubContent Content { get; } = new(Size);

    public StubFile File { get; }

    public static void CheckWhole(RawResponse response)
    {
        Assert.Equal(200, response.Status);
        Assert.Equal(Size.ToString(CultureInfo.InvariantCulture), response["Content-Length"]);
        Assert.Null(response["Content-Range"]);
        Assert.Null(response["Content-Encoding"]);
        Assert.True(response.IsComplete);
        Assert.Equal(StubBytes.Slice(0, Size), response.Body);
    }

    public void CheckNotModified(RawResponse response)
    {
        Assert.Equal(304, response.Status);
        Assert.Equal(ETag, response["ETag"]);
        Assert.Empty(response.Body);
        Assert.True(response["Content-Length"] is null or "0");
        Assert.Equal(0, File.Opens);
    }

    public void CheckHead(RawResponse response, int status)
    {
        Assert.Equal(status, response.Status);
        Assert.Empty(response.Body);
        Assert.Null(response["Content-Range"]);
        Assert.Equal(0, File.Opens);
        Assert.Equal(0, Content.Opened);
        if (status == 200)
        {
            Assert.Equal(Size.ToString(CultureInfo.InvariantCulture), response["Content-Length"]);
            Assert.Equal(ETag, response["ETag"]);
            Assert.Equal(Modified, response["Last-Modified"]);
            Assert.Equal("bytes", response["Accept-Ranges"]);
            Assert.Equal("video/x-matroska", response["Content-Type"]);
        }
    }
}
