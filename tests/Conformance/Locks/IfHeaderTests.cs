namespace NzbDav.Conformance.Tests.Locks;

/// <summary>The If header: tokens and tags that must match.</summary>
public sealed class IfHeaderTests
{
    [Fact]
    public async Task The_if_header_decides_by_tokens_and_tags()
    {
        await using var server = await ScratchServer.StartAsync();
        await server.PutAsync("f", "g");
        var token = await server.LockAsync("f");
        var f = await TagAsync("f");
        var g = await TagAsync("g");

        // True conditions, with and without the token that is needed.
        Assert.Equal(204, await PutAsync($"(<{token}> [{f}])"));
        f = await TagAsync("f");
        Assert.Equal(204, await PutAsync($"(<{token}> [\"x\"]) (Not <DAV:no-lock> [{f}])"));
        f = await TagAsync("f");
        Assert.Equal(423, await PutAsync($"([{f}])"));
        Assert.Equal(423, await PutAsync("(Not <DAV:no-lock>)"));
        Assert.Equal(204, await PutAsync($"(<{token}>) (Not <DAV:no-lock>)"));
        Assert.Equal(423, await PutAsync($"</dav/s/g> ([{g}])"));
        Assert.Equal(204, await PutAsync($"</dav/s/g> ([\"x\"]) </dav/s/f> (<{token}>)"));
        Assert.Equal(204, await PutAsync($"<http://127.0.0.1/dav/s/f> (<{token}>)"));

        // False conditions.
        f = await TagAsync("f");
        Assert.Equal(412, await PutAsync($"(<{token}> [\"x\"])"));
        Assert.Equal(412, await PutAsync($"(Not <{token}>)"));
        Assert.Equal(412, await PutAsync($"(<{token}x> [{f}])"));
        Assert.Equal(412, await PutAsync($"(<{token}> <DAV:no-lock>)"));
        Assert.Equal(412, await PutAsync($"(Not [{f}])"));
        Assert.Equal(412, await PutAsync($"</dav/s/g> (<{token}>)"));
        Assert.Equal(412, await PutAsync($"<http://elsewhere/dav/s/f> (<{token}>)"));
        Assert.Equal(412, await PutAsync($"(<{token}> [W/{f}])"));

        // Invalid headers.
        foreach (var nonsense in (string[])["", "()", "(", "<>", "</dav/s/f>", "(<a>", "(Not)", "([\"x\")", "(<a>) x",
            "(<a>) </dav/s/f> (<b>)", "token"])
            Assert.Equal(400, await PutAsync(nonsense));
        Assert.Equal(f, await TagAsync("f"));

        async Task<string> TagAsync(string name) => (await server.SendAsync("HEAD", name))["ETag"]!;

        Task<int> PutAsync(string condition) => server.StatusAsync("PUT", "f", "x", ("If", condition));
    }
}
