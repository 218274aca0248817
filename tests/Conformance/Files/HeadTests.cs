using System.Globalization;
using static NzbDav.Conformance.Tests.Files.FilmStore;

namespace NzbDav.Conformance.Tests.Files;

/// <summary>HEAD answers what GET would, and opens no content.</summary>
public sealed class HeadTests
{
    private readonly FilmStore _films = new();

    [Fact]
    public async Task RNG_15_head_ignores_the_range()
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
        _films.CheckHead(await server.SendAsync("HEAD", Film, ("Range", "bytes=0-1")), 200);
    }

    [Theory]
    [InlineData("Range", "bytes=0-", 200)]
    [InlineData("Range", "bytes=0-1", 200)]
    [InlineData("Range", "bytes=-5", 200)]
    [InlineData("Range", "bytes=2000000-", 200)]
    [InlineData("Range", "bytes=abc", 200)]
    [InlineData("Range", "bytes=0-1,5-9", 200)]
    [InlineData("If-Range", ETag, 200)]
    [InlineData("If-None-Match", ETag, 304)]
    [InlineData("If-None-Match", "\"x\"", 200)]
    [InlineData("If-Modified-Since", Modified, 304)]
    [InlineData("If-Match", ETag, 200)]
    [InlineData("If-Match", "\"x\"", 412)]
    [InlineData("If-Unmodified-Since", "Fri, 01 Mar 2024 08:09:09 GMT", 412)]
    [InlineData("Depth", "0", 200)]
    public async Task RNG_17_head_opens_no_content(string header, string value, int status)
    {
        _films.Content.FaultAt = 0;
        await using var server = await WebDavServer.StartAsync(_films.Store);
        _films.CheckHead(await server.SendAsync("HEAD", Film, (header, value)), status);
        _films.CheckHead(await server.SendAsync("HEAD", Film), 200);
    }

    [Fact]
    public async Task RNG_19_listing_head_and_content_range_agree_on_the_size()
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
        var listed = Listing.Parse(await server.SendAsync("PROPFIND", Film, ("Depth", "0"))).Single();
        var head = await server.SendAsync("HEAD", Film);
        var partial = await server.SendAsync("GET", Film, ("Range", "bytes=0-"));
        var size = Size.ToString(CultureInfo.InvariantCulture);
        Assert.Equal(size, listed.Value("getcontentlength"));
        Assert.Equal(size, head["Content-Length"]);
        Assert.Equal(size, partial["Content-Range"]!.Split('/')[1]);
        Assert.Equal(listed.Value("getetag"), head["ETag"]);
        Assert.Equal(listed.Value("getlastmodified"), head["Last-Modified"]);
        Assert.Equal(listed.Value("getcontenttype"), head["Content-Type"]);
    }
}
