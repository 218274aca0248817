using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Access.Outbound;

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
        var refused = await Assert.ThrowsAsync<HttpRequestException>(() => http.GetStringAsync(site.At("localhost") + "?to=" + Uri.EscapeDataString(site.At("127.0.0.1"))));
        Assert.Contains($"{Setting}=127.0.0.1", refused.InnerException!.Message, StringComparison.Ordinal);
        Assert.Equal("here", await http.GetStringAsync(site.At("localhost") + "?to=" + Uri.EscapeDataString(site.At("localhost"))));
    }

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
