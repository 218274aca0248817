using static NzbDav.Conformance.Tests.Files.FilmStore;

namespace NzbDav.Conformance.Tests.Files;

/// <summary>Conditional GET: If-Range, If-Match and their like.</summary>
public sealed class ConditionTests
{
    private readonly FilmStore _films = new();

    [Theory]
    [InlineData(ETag, 206)]
    [InlineData("\"stub-2\"", 200)]
    [InlineData("W/\"stub-1\"", 200)]
    [InlineData("*", 200)]
    [InlineData(Modified, 206)]
    [InlineData("Fri, 01 Mar 2024 08:09:11 GMT", 200)]
    [InlineData("Fri, 01 Mar 2024 08:09:09 GMT", 200)]
    [InlineData("garbage", 200)]
    public async Task RNG_11_if_range(string value, int status)
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
        var response = await server.SendAsync("GET", Film, ("Range", "bytes=3-4"), ("If-Range", value));
        if (status == 206)
            StrictRange.Check(response, 3, 4, Size);
        else
            CheckWhole(response);
    }

    [Theory]
    [InlineData(ETag, 304)]
    [InlineData("*", 304)]
    [InlineData("W/\"stub-1\"", 304)]
    [InlineData("\"a\", \"b,c\" ,\"stub-1\"", 304)]
    [InlineData("\"a\", W/\"stub-1\"", 304)]
    [InlineData("\"a\", \"b\"", 200)]
    [InlineData("\"stub-1", 200)]
    public async Task RNG_12_if_none_match(string value, int status)
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);

        // If-Modified-Since alone would give the opposite answer each time.
        var response = await server.SendAsync(
            "GET", Film, ("If-None-Match", value), ("If-Modified-Since", status == 304 ? "Sat, 01 Jan 2000 00:00:00 GMT" : Modified));
        if (status == 304)
            _films.CheckNotModified(response);
        else
            CheckWhole(response);
    }

    [Theory]
    [InlineData(Modified, 304)]
    [InlineData("Sat, 01 Mar 2025 00:00:00 GMT", 304)]
    [InlineData("Friday, 01-Mar-24 08:09:10 GMT", 304)]
    [InlineData("Fri, 01 Mar 2024 08:09:09 GMT", 200)]
    [InlineData("yesterday", 200)]
    public async Task RNG_13_if_modified_since(string value, int status)
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
        var response = await server.SendAsync("GET", Film, ("If-Modified-Since", value));
        if (status == 304)
            _films.CheckNotModified(response);
        else
            CheckWhole(response);
    }

    [Theory]
    [InlineData("If-Match", ETag, 206)]
    [InlineData("If-Match", "*", 206)]
    [InlineData("If-Match", "\"x\", \"stub-1\"", 206)]
    [InlineData("If-Match", "stub-1", 206)]
    [InlineData("If-Match", "\"x\"", 412)]
    [InlineData("If-Match", "W/\"stub-1\"", 412)]
    [InlineData("If-Unmodified-Since", Modified, 206)]
    [InlineData("If-Unmodified-Since", "Sat, 01 Mar 2025 00:00:00 GMT", 206)]
    [InlineData("If-Unmodified-Since", "Fri, 01 Mar 2024 08:09:09 GMT", 412)]
    [InlineData("If-Unmodified-Since", "garbage", 206)]
    public async Task RNG_14_if_match_and_if_unmodified_since(string header, string value, int status)
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
        var response = await server.SendAsync("GET", Film, ("Range", "bytes=7-"), (header, value));
        if (status == 206)
        {
            StrictRange.Check(response, 7, askedEnd: null, Size);
            return;
        }

        Assert.Equal(412, response.Status);
        Assert.True(response.IsComplete);
        Assert.Equal(0, _films.File.Opens);
    }

    [Fact]
    public async Task RNG_14_if_match_precedes_if_unmodified_since()
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
        CheckWhole(await server.SendAsync("GET", Film, ("If-Match", ETag), ("If-Unmodified-Since", "Sat, 01 Jan 2000 00:00:00 GMT")));
    }
}
