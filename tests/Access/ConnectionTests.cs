using System.Net;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Access.Connections;
using NzbDav.Access.Options;
using NzbDav.Access.Tests.Running;
using NzbDav.Content.Dialling;
using NzbDav.Fakes;

namespace NzbDav.Access.Tests;

/// <summary>How many connections an address may have on which nobody has signed in, and for how long.</summary>
public sealed class ConnectionTests : IDisposable
{
    private const string Crowd = "127.0.0.2";
    private const string Other = "127.0.0.3";
    private const string FullKey = "X-Api-Key: " + AccessServer.FullKey;

    private static readonly UnauthenticatedLimits Three = new() { PerAddress = 3 };

    private readonly List<Visitor> _visitors = [];

    [Fact]
    public async Task A_crowded_address_is_refused_and_another_is_served()
    {
        await using var server = await AccessServer.StartAsync(bounds: Three);
        var crowd = await CrowdAsync(server, Crowd, 3);
        var late = await VisitAsync(server, Crowd);
        Assert.False(await late.AsksAsync("/health", "well"));
        Assert.Contains(
            server.Log.All,
            static text => text.Contains("1 connections were closed at once, the last from 127.0.0.2", StringComparison.Ordinal));
        Assert.True(await (await VisitAsync(server, Other)).AsksAsync("/health", "well"));

        // Those that are there stay, and a place that becomes free is given again.
        Assert.All(await Task.WhenAll(crowd.Select(static one => one.AsksAsync("/health", "well"))), Assert.True);
        crowd[0].Dispose();
        await Until.TrueAsync(() => Places(server).Unauthenticated == 3);
        Assert.True(await (await VisitAsync(server, Crowd)).AsksAsync("/health", "well"));
    }

    [Theory]
    [InlineData(FullKey, true)]
    [InlineData("Authorization: Bearer " + AccessServer.ReadKey, true)]
    [InlineData("X-Api-Key: a guess", false)]
    [InlineData("Accept: */*", false)]
    public async Task Who_sends_a_key_that_counts_keeps_the_place_and_does_not_count(string header, bool isKept)
    {
        await using var server = await AccessServer.StartAsync(bounds: Three);
        foreach (var one in await CrowdAsync(server, Crowd, 3))
            Assert.True(await one.AsksAsync("/api/v1/rate", "HTTP/1.1 ", header));
        Assert.Equal(isKept ? 0 : 3, Places(server).Unauthenticated);
        Assert.Equal(isKept, await (await VisitAsync(server, Crowd)).AsksAsync("/health", "well"));
    }

    [Fact]
    public async Task Who_signs_in_with_a_password_or_comes_with_a_session_does_not_count()
    {
        await using var server = await AccessServer.StartAsync(bounds: Three);
        using var browser = await server.SignedInAsync();
        Assert.Equal(0, Places(server).Unauthenticated);
        var cookies = browser.Cookies.GetCookieHeader(new Uri(server.Root));
        Assert.True(await (await VisitAsync(server, Crowd)).AsksAsync("/api/v1/look", "seen", "Cookie: " + cookies));
        Assert.Equal(0, Places(server).Unauthenticated);
    }

    [Fact]
    public async Task A_trusted_proxy_is_not_one_client()
    {
        var trusting = new AccessOptions { TrustedProxies = [IPNetwork.Parse(Crowd + "/32")] };
        await using var server = await AccessServer.StartAsync(trusting, bounds: Three);
        await CrowdAsync(server, Crowd, 5);
        Assert.Equal(0, Places(server).Unauthenticated);
        await CrowdAsync(server, Other, 3);
        Assert.False(await (await VisitAsync(server, Other)).AsksAsync("/health", "well"));
    }

    [Fact]
    public async Task Where_many_addresses_fill_the_server_the_most_crowded_gives_way()
    {
        await using var server = await AccessServer.StartAsync(bounds: Three with { InAll = 4 });
        var crowd = await CrowdAsync(server, Crowd, 3);
        var neighbour = await VisitAsync(server, Other);
        Assert.True(await neighbour.AsksAsync("/health", "well"));
        Assert.True(await (await VisitAsync(server, "127.0.0.4")).AsksAsync("/health", "well"));
        await crowd[0].WhenClosedAsync();
        Assert.True(await crowd[1].AsksAsync("/health", "well"));
        Assert.True(await neighbour.AsksAsync("/health", "well"));
        Assert.Equal(4, Places(server).Unauthenticated);
    }

    [Fact]
    public async Task An_idle_stranger_is_closed_and_whoever_has_signed_in_stays()
    {
        await using var server = await AccessServer.StartAsync(bounds: Three);
        var (silent, once, known) = (await VisitAsync(server, Crowd), await VisitAsync(server, Crowd), await VisitAsync(server, Crowd));
        Assert.True(await once.AsksAsync("/health", "well"));
        Assert.True(await known.AsksAsync("/api/v1/look", "seen", FullKey));

        // A request that is still being sent is no idleness.
        const string Body = "{\"username\":\"anna\",\"password\":\"a guess\"}";
        var busy = await VisitAsync(server, Other);
        Assert.True(await busy.SendsAsync(
            "POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + $"Expect: 100-continue\r\nContent-Length: {Body.Length}\r\n\r\n",
            "100 Continue"));
        await Until.TrueAsync(() => Places(server).Unauthenticated == 3);

        var closed = Task.WhenAll(silent.WhenClosedAsync(), once.WhenClosedAsync());
        await Until.TrueAsync(() =>
        {
            server.Clock.Advance(Three.Idle);
            return closed.IsCompleted;
        });
        Assert.True(await known.AsksAsync("/api/v1/look", "seen", FullKey));
        Assert.True(await busy.SendsAsync(Body, "401 Unauthorized"));
    }

    [Fact]
    public async Task Answers_to_strangers_have_a_least_rate_and_others_have_none()
    {
        await using var server = await AccessServer.StartAsync(bounds: Three);
        var visitor = await VisitAsync(server, Crowd);
        Assert.True(await visitor.AsksAsync("/api/v1/rate", "rate 1024"));
        Assert.True(await visitor.AsksAsync("/api/v1/rate", "rate 0", FullKey));
    }

    [Fact]
    public void One_IPv6_line_is_one_address()
    {
        var block = AddressBlock.Of(IPAddress.Parse("2001:db8:1:2::1"));
        Assert.Equal(block, AddressBlock.Of(IPAddress.Parse("2001:db8:1:2:ffff::9")));
        Assert.NotEqual(block, AddressBlock.Of(IPAddress.Parse("2001:db8:1:3::1")));
        Assert.Equal(AddressBlock.Of(IPAddress.Parse("192.0.2.1")), AddressBlock.Of(IPAddress.Parse("::ffff:192.0.2.1")));
        Assert.NotEqual(AddressBlock.Of(IPAddress.Parse("192.0.2.1")), AddressBlock.Of(IPAddress.Parse("192.0.2.2")));
    }

    public void Dispose() => _visitors.ForEach(static one => one.Dispose());

    private static ConnectionSlots Places(AccessServer server) => server.Services.GetRequiredService<ConnectionSlots>();

    private async Task<Visitor> VisitAsync(AccessServer server, string from)
    {
        var visitor = await Visitor.ConnectAsync(server, from);
        _visitors.Add(visitor);
        return visitor;
    }

    /// <summary>Connections that were all served once.</summary>
    private async Task<Visitor[]> CrowdAsync(AccessServer server, string from, int count)
    {
        var crowd = new Visitor[count];
        for (var i = 0; i < count; i++)
        {
            crowd[i] = await VisitAsync(server, from);
            Assert.True(await crowd[i].AsksAsync("/health", "well"));
        }

        return crowd;
    }
}
