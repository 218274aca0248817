using System.Net;
using System.Net.NetworkInformation;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Access.Outbound;
using NzbDav.Fakes;

namespace NzbDav.Access.Tests;

/// <summary>Which addresses others can make this server connect to.</summary>
public sealed class OutboundTests
{
    private const string Setting = "NzbDav__Some__Hosts";

    [Theory]
    [InlineData("127.0.0.1", true)]
    [InlineData("10.1.2.3", true)]
    [InlineData("100.64.0.1", true)]
    [InlineData("169.254.169.254", true)]
    [InlineData("172.31.255.255", true)]
    [InlineData("192.168.1.1", true)]
    [InlineData("0.0.0.0", true)]
    [InlineData("255.255.255.255", true)]
    [InlineData("::", true)]
    [InlineData("::1", true)]
    [InlineData("::127.0.0.1", true)]
    [InlineData("::ffff:192.168.1.1", true)]
    [InlineData("fd00::1", true)]
    [InlineData("fe80::1", true)]
    [InlineData("fec0::1", true)]
    [InlineData("ff02::1", true)]
    [InlineData("64:ff9b::192.168.1.1", true)]
    [InlineData("64:ff9b::7f00:1", true)]
    [InlineData("64:ff9b:1::5db8:d822", true)]
    [InlineData("2002:c0a8:101::1", true)]
    [InlineData("2002:7f00:1::", true)]
    [InlineData("93.184.216.34", false)]
    [InlineData("172.32.0.1", false)]
    [InlineData("100.128.0.1", false)]
    [InlineData("2606:2800:220:1::1", false)]
    [InlineData("::ffff:93.184.216.34", false)]
    [InlineData("64:ff9b::93.184.216.34", false)]
    [InlineData("2002:5db8:d822::1", false)]
    public void Private_addresses_are_recognised_also_inside_IPv6(string address, bool expected) =>
        Assert.Equal(expected, PrivateNetworks.Contain(IPAddress.Parse(address)));

    [Theory]
    [InlineData("203.0.113.10", true, true)]
    [InlineData("203.0.113.77", true, false)]
    [InlineData("::ffff:203.0.113.77", true, false)]
    [InlineData("203.0.114.1", false, false)]
    [InlineData("198.51.100.7", true, true)]
    [InlineData("198.51.100.8", false, false)]
    [InlineData("192.0.2.1", true, false)]
    [InlineData("2001:db8:5:6::99", true, true)]
    [InlineData("2001:db8:5:7::99", false, false)]
    [InlineData("2001:db8:9:1::99", true, true)]
    [InlineData("192.168.1.1", true, true)]
    [InlineData("93.184.216.34", false, false)]
    public void Public_addresses_of_this_machine_its_router_and_its_neighbours_count_as_private(
        string address, bool isOwn, bool isOwnAsPeer)
    {
        var own = Own();
        Assert.Equal((isOwn, isOwnAsPeer), (own.Contain(IPAddress.Parse(address)), own.ContainPeer(IPAddress.Parse(address))));
        var guard = new OutboundGuard(static () => [], Setting, own: own);
        Assert.Equal(isOwn, guard.RefusalOf(address) is not null);
        Assert.Equal(!isOwnAsPeer, guard.AllowsPeer(IPAddress.Parse(address)));
    }

    [Fact]
    public async Task A_neighbour_with_a_public_address_is_not_connected_to_unless_its_network_is_allowed()
    {
        string[] allowed = [];
        var guard = new OutboundGuard(() => allowed, Setting, own: Own());
        foreach (var host in (string[])["203.0.113.77", "[2001:db8:5:6::99]", "203.0.113.10"])
        {
            allowed = [];
            await Assert.ThrowsAsync<RefusedAddressException>(async () => await guard.ResolveAsync(host, CancellationToken.None));
            allowed = ["203.0.113.0/24", "2001:db8:5::/48"];
            Assert.Single(await guard.ResolveAsync(host, CancellationToken.None));
        }
    }

    [Fact]
    public void An_address_that_this_machine_gets_later_is_noticed()
    {
        var clock = new ManualTimeProvider();
        List<(IPAddress, int)> interfaces = [];
        var own = new OwnNetworks(() => [.. interfaces], clock);
        Assert.False(own.Contain(IPAddress.Parse("203.0.113.77")));
        interfaces.Add((IPAddress.Parse("203.0.113.10"), 24));
        clock.Advance(TimeSpan.FromSeconds(10));
        Assert.True(own.Contain(IPAddress.Parse("203.0.113.77")));
    }

    [Fact]
    public void The_system_lists_the_addresses_of_this_machine()
    {
        var own = new OwnNetworks();
        foreach (var device in NetworkInterface.GetAllNetworkInterfaces())
            Assert.All(device.GetIPProperties().UnicastAddresses, address => Assert.True(own.ContainPeer(address.Address)));
    }

    [Theory]
    [InlineData("tracker.lan", true)]
    [InlineData("LOCALHOST", true)]
    [InlineData("nas", true)]
    [InlineData("nas.local.", true)]
    [InlineData("[::1]", true)]
    [InlineData("10.0.0.1", true)]
    [InlineData("tracker.example", false)]
    [InlineData("93.184.216.34", false)]
    public void What_a_proxy_looks_up_is_judged_as_it_is_written(string host, bool isRefused)
    {
        string[] allowed = [];
        List<string> told = [];
        var guard = new OutboundGuard(() => allowed, Setting, told.Add, Own());
        var refusal = guard.RefusalOf(host);
        Assert.Equal(isRefused, refusal is not null);
        Assert.Equal(isRefused ? [refusal!] : [], told);
        allowed = [host];
        Assert.Null(guard.RefusalOf(host));
    }

    [Fact]
    public async Task Networks_are_allowed_by_their_prefix_whatever_name_leads_there()
    {
        await using var site = await Site.StartAsync();
        string[] allowed = ["10.0.0.0/8"];
        using var http = new HttpClient(new OutboundGuard(() => allowed, Setting).CreateHandler());
        await Assert.ThrowsAsync<HttpRequestException>(() => http.GetStringAsync(site.At("127.0.0.1")));
        allowed = ["10.0.0.0/8", "127.0.0.0/8"];
        foreach (var host in (string[])["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"])
            Assert.Equal("here", await http.GetStringAsync(site.At(host)));
    }

    [Fact]
    public async Task A_host_in_a_private_network_is_refused_naming_the_setting_and_logged_once()
    {
        await using var site = await Site.StartAsync();
        List<string> told = [];
        string[] allowed = [];
        using var http = new HttpClient(new OutboundGuard(() => allowed, Setting, told.Add).CreateHandler());
        foreach (var host in (string[])["127.0.0.1", "127.0.0.1", "localhost", "[::ffff:127.0.0.1]"])
        {
            var refused = await Assert.ThrowsAsync<HttpRequestException>(() => http.GetStringAsync(site.At(host)));
            var reason = Assert.IsType<RefusedAddressException>(refused.InnerException);
            Assert.EndsWith($"allow it with {Setting}={host.Trim('[', ']')}", reason.Message, StringComparison.Ordinal);
        }

        Assert.Equal(3, told.Count);
        Assert.Equal(0, site.Asked);
        allowed = ["LOCALHOST"];
        Assert.Equal("here", await http.GetStringAsync(site.At("localhost")));
        allowed = ["[::ffff:127.0.0.1]"];
        Assert.Equal("here", await http.GetStringAsync(site.At("[::ffff:127.0.0.1]")));
        allowed = ["*"];
        Assert.Equal("here", await http.GetStringAsync(site.At("127.0.0.1")));
    }

    [Fact]
    public async Task Redirects_are_checked_like_the_first_address()
    {
        await using var site = await Site.StartAsync();
        using var http = new HttpClient(new OutboundGuard(() => ["localhost"], Setting).CreateHandler());
        var refused = await Assert.ThrowsAsync<HttpRequestException>(
            () => http.GetStringAsync(site.At("localhost") + "?to=" + Uri.EscapeDataString(site.At("127.0.0.1"))));
        Assert.Contains($"{Setting}=127.0.0.1", refused.InnerException!.Message, StringComparison.Ordinal);
        Assert.Equal("here", await http.GetStringAsync(site.At("localhost") + "?to=" + Uri.EscapeDataString(site.At("localhost"))));
    }

    /// <summary>A machine with public addresses: in a network of each family, two alone, and a tunnel that claims half of all.</summary>
    private static OwnNetworks Own() => new(
        static () =>
        [
            (IPAddress.Parse("203.0.113.10"), 24), (IPAddress.Parse("198.51.100.7"), 32), (IPAddress.Parse("2001:db8:5:6::10"), 64),
            (IPAddress.Parse("2001:db8:9:1::10"), 128), (IPAddress.Parse("198.51.100.7"), 1),
        ],
        new ManualTimeProvider())
    {
        Router = static () => IPAddress.Parse("192.0.2.1"),
    };

    private sealed class Site(WebApplication app) : IAsyncDisposable
    {
        private int _asked;

        public int Asked => Volatile.Read(ref _asked);

        public static async Task<Site> StartAsync()
        {
            var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
            builder.WebHost.UseKestrelCore().ConfigureKestrel(server => server.Listen(IPAddress.Loopback, 0));
            builder.Services.AddLogging();
            var app = builder.Build();
            var site = new Site(app);
            app.Run(site.AnswerAsync);
            await app.StartAsync();
            return site;
        }

        public string At(string host) => $"http://{host}:{new Uri(app.Urls.First()).Port}/";

        public ValueTask DisposeAsync() => app.DisposeAsync();

        private Task AnswerAsync(HttpContext http)
        {
            Interlocked.Increment(ref _asked);
            if (http.Request.Query["to"] is [{ } to])
            {
                http.Response.Redirect(to);
                return Task.CompletedTask;
            }

            return http.Response.WriteAsync("here");
        }
    }
}
