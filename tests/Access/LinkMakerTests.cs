using System.Net;
using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Access.Keys;
using NzbDav.Access.Options;
using NzbDav.Access.Rules;
using NzbDav.Access.Tests.Running;

namespace NzbDav.Access.Tests;

/// <summary>A link stands as long as its maker would be let in.</summary>
public sealed class LinkMakerTests
{
    [Fact]
    public async Task A_link_of_a_user_of_openid_connect_ends_with_the_sign_in_and_the_permission()
    {
        await using var provider = await FakeProvider.StartAsync();
        await using var server = await AccessServer.StartAsync(new AccessOptions { Oidc = provider.Options });
        using var browser = server.NewBrowser();
        var back = await OidcTests.ToProviderAndBackAsync(browser, "/signin/oidc");
        Assert.Equal(HttpStatusCode.Redirect, (await browser.GetAsync(back)).Status);
        var (maker, end, most) = await MakerAsync(browser);
        Assert.Equal(("oidc", "carla"), (maker.Via, maker.Name));
        Assert.Equal(24, Math.Round((end!.Value - server.Clock.GetUtcNow()).TotalHours));
        Assert.Equal(30 * 24, most);
        Assert.True(await MayReadAsync(server, maker));

        server.Access.Replace(new AccessOptions { Oidc = provider.Options with { AllowedNames = ["somebody else"] } });
        Assert.False(await MayReadAsync(server, maker));
        server.Access.Replace(new AccessOptions());
        Assert.False(await MayReadAsync(server, maker));
        server.Access.Replace(new AccessOptions { Oidc = provider.Options });
        Assert.True(await MayReadAsync(server, maker));
        server.Clock.Advance(end.Value - server.Clock.GetUtcNow());
        Assert.False(await MayReadAsync(server, maker));
    }

    [Fact]
    public async Task A_link_of_a_user_whom_a_proxy_names_ends_with_the_trust_in_the_proxy()
    {
        var options = new AccessOptions
        {
            TrustedProxies = [IPNetwork.Parse("127.0.0.1/32")],
            ForwardAuthHeader = "Remote-User",
            ForwardAuthRole = Catalog.Users.UserRole.Viewer
        };
        await using var server = await AccessServer.StartAsync(options);
        using var browser = server.NewBrowser();
        var (maker, end, most) = await MakerAsync(browser, ("Remote-User", "vera"));
        Assert.Equal(("proxy", "vera", TimeSpan.FromDays(1)), (maker.Via, maker.Name, end!.Value - server.Clock.GetUtcNow()));
        Assert.Equal(LinkMakers.MostPlayerHours, most);
        Assert.True(await MayReadAsync(server, maker));
        server.Access.Replace(options with { ForwardAuthHeader = null });
        Assert.False(await MayReadAsync(server, maker));
    }

    [Fact]
    public async Task A_key_is_the_same_maker_each_time_until_it_is_another_key()
    {
        await using var server = await AccessServer.StartAsync();
        using var browser = server.NewBrowser();
        var (first, _, _) = await MakerAsync(browser, ("X-Api-Key", AccessServer.ReadKey));
        Assert.Equal(first, (await MakerAsync(browser, ("X-Api-Key", AccessServer.ReadKey))).Maker);
        Assert.NotEqual(first, (await MakerAsync(browser, ("X-Api-Key", AccessServer.FullKey))).Maker);

        const string Other = "another-key-to-read";
        server.Services.GetRequiredService<ApiKeys>().Replace(AccessServer.FullKey, AccessServer.ClientKey, AccessServer.AddKey, Other);
        var (second, _, _) = await MakerAsync(browser, ("X-Api-Key", Other));
        Assert.NotEqual(first, second);
        Assert.False(await MayReadAsync(server, first));
        Assert.True(await MayReadAsync(server, second));
    }

    [Fact]
    public async Task A_made_up_maker_may_nothing()
    {
        await using var server = await AccessServer.StartAsync();
        foreach (var maker in (LinkMaker[])[new("", "", ""), new("nobody", "x", ""), new("key", "full", ""), new("key", "none", "x"),
            new("password", AccessServer.User, ""), new("network", "", "127.0.0.1"), new("oidc", "carla", "since=9")])
            Assert.False(await MayReadAsync(server, maker));
    }

    private static async Task<(LinkMaker Maker, DateTimeOffset? End, int MostHours)> MakerAsync(
        Browser browser, params (string, string)[] headers)
    {
        var answer = await browser.GetAsync("/api/v1/maker", headers);
        Assert.Equal(HttpStatusCode.OK, answer.Status);
        var body = answer.Json.Deserialize(MakerJson.Default.MakerBody)!;
        return (body.Maker, body.End, body.MostHours);
    }

    private static async Task<bool> MayReadAsync(AccessServer server, LinkMaker maker) =>
        await server.Services.GetRequiredService<LinkMakers>().MayReadAsync(maker, CancellationToken.None);
}
