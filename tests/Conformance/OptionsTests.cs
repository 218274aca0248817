using Microsoft.AspNetCore.Builder;
using NzbDav.Conformance.Tests.Stubs;
using NzbDav.WebDav.Access;

namespace NzbDav.Conformance.Tests;

/// <summary>OPTIONS, and unsupported methods.</summary>
public sealed class OptionsTests
{
    private readonly FilmStore _films = new();

    [Theory]
    [InlineData("/")]
    [InlineData("*")]
    [InlineData("/dav")]
    [InlineData("/dav/")]
    [InlineData("/dav/s/x")]
    [InlineData("/dav/films/film.mkv", false)]
    [InlineData("/dav/none/of/these", false)]
    [InlineData("/content/x", false)]
    public async Task DAV_01_options_needs_no_password_anywhere(string target, bool locks = true)
    {
        _films.Store.JunkPlaces.Add("s");
        await using var server = await WebDavServer.StartAsync(_films.Store, check: new FixedCredentialCheck("u", "p"));
        CheckOptions(await server.SendAsync("OPTIONS", target), locks);
        Assert.Equal(0, _films.Store.Lookups);
    }

    [Theory]
    [InlineData("/base/")]
    [InlineData("/base")]
    [InlineData("/base/dav/films", false)]
    public async Task DAV_02_options_under_a_url_base(string target, bool locks = true)
    {
        await using var server = await WebDavServer.StartAsync(_films.Store, before: app => app.UsePathBase("/base"));
        CheckOptions(await server.SendAsync("OPTIONS", target), locks);
    }

    [Theory]
    [InlineData("BREW")]
    [InlineData("POST")]
    [InlineData("PATCH")]
    [InlineData("SEARCH")]
    [InlineData("get")]
    public async Task DAV_16_other_methods_are_405(string method)
    {
        await using var server = await WebDavServer.StartAsync(_films.Store);
        foreach (var target in (string[])["/dav/", "/dav/films/film.mkv", "/dav/none"])
        {
            var response = await server.SendAsync(method, target);
            Assert.Equal(405, response.Status);
            CheckAllow(response["Allow"]);
        }
    }

    private static void CheckOptions(RawResponse response, bool locks)
    {
        Assert.Equal(200, response.Status);
        Assert.Equal(locks ? "1, 2" : "1", response["DAV"]);
        Assert.Equal("DAV", response["MS-Author-Via"]);
        Assert.Equal("bytes", response["Accept-Ranges"]);
        Assert.Equal("0", response["Content-Length"]);
        Assert.Null(response["WWW-Authenticate"]);
        CheckAllow(response["Allow"], locks);
        CheckAllow(response["Public"], locks);
    }

    private static void CheckAllow(string? allow, bool locks = true) =>
        Assert.Equal("OPTIONS, GET, HEAD, PROPFIND, PROPPATCH, PUT, DELETE, MKCOL, COPY, MOVE" + (locks ? ", LOCK, UNLOCK" : ""), allow);
}
