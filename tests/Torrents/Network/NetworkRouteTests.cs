using System.Net;
using System.Net.Sockets;
using NzbDav.Torrents.Network;

namespace NzbDav.Torrents.Tests.Network;

public sealed class NetworkRouteTests
{
    private static readonly LocalAddress[] Addresses =
    [
        new("lo", IPAddress.Loopback, true), new("eth0", IPAddress.Parse("192.0.2.1"), true), new("wg0", IPAddress.Parse("10.8.0.2"), true),
        new("wg0", IPAddress.Parse("fe80::1"), true),
        new("wg0", IPAddress.Parse("2001:db8::2"), true), new("tun0", IPAddress.Parse("10.9.0.2"), false), new("tun1", null, true),
    ];

    [Fact]
    public void An_interface_yields_its_address_of_each_family()
    {
        var route = NetworkRoute.Find("wg0", Addresses, proxy: null);
        Assert.Equal(
            ("wg0", "10.8.0.2", "2001:db8::2", null), (route.Device, route.IPv4?.ToString(), route.IPv6?.ToString(), route.Trouble));
        Assert.Equal(IPAddress.Parse("10.8.0.2"), route.SourceOf(AddressFamily.InterNetwork));
    }

    [Fact]
    public void An_address_yields_its_interface_and_excludes_the_other_family()
    {
        var route = NetworkRoute.Find("10.8.0.2", Addresses, proxy: null);
        Assert.Equal(("wg0", null), (route.Device, route.Trouble));
        Assert.Null(route.SourceOf(AddressFamily.InterNetworkV6));
    }

    [Theory]
    [InlineData("wg1", "is not there")]
    [InlineData("tun0", "is down")]
    [InlineData("tun1", "has no address")]
    [InlineData("10.8.0.3", "is not an address of this machine at present")]
    [InlineData("10.9.0.2", "is not an address of this machine at present")]
    public void Nothing_leaves_while_what_it_is_bound_to_is_not_there(string bind, string why)
    {
        var route = NetworkRoute.Find(bind, Addresses, proxy: null);
        Assert.EndsWith(why, route.Trouble, StringComparison.Ordinal);
        Assert.Null(route.SourceOf(AddressFamily.InterNetwork));
        Assert.Null(route.SourceOf(AddressFamily.InterNetworkV6));
    }

    [Fact]
    public void Without_a_setting_the_system_chooses()
    {
        Assert.Same(NetworkRoute.Any, NetworkRoute.Find(null, Addresses, proxy: null));
        Assert.Equal(IPAddress.Any, NetworkRoute.Any.SourceOf(AddressFamily.InterNetwork));
    }
}
