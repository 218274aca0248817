using System.Net;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Discovery.Dht;

namespace NzbDav.Torrents.Tests.Discovery.Dht;

/// <summary>Ids and distances.</summary>
public sealed class NodeIdTests
{
    [Theory]
    [InlineData("124.31.75.21", "5fbfbff10c5d6a4ec8a88e4c6ab4c28b95eee401")]
    [InlineData("21.75.31.124", "5a3ce9c14e7a08645677bbd1cfe7d8f956d53256")]
    [InlineData("65.23.51.170", "a5d43220bc8f112a3d426c84764f8c2a1150e616")]
    [InlineData("84.124.73.14", "1b0321dd1bb1fe518101ceef99462b947a01ff41")]
    [InlineData("43.213.53.83", "e56f6cbf5b7c4be0237986d5243b87aa6d51305a")]
    public void The_BEP_42_example_ids_match_their_addresses_and_no_others(string address, string id)
    {
        var endpoint = new DatagramAddress(new IPEndPoint(IPAddress.Parse(address), 1));
        var node = NodeId.Read(Convert.FromHexString(id));
        Assert.True(node.Fits(endpoint));
        Assert.True(NodeId.For(endpoint).Fits(endpoint));
        Assert.False(node.Fits(new DatagramAddress(new IPEndPoint(IPAddress.Parse("124.31.75.22"), 1))));
        Assert.True(node.Fits(new DatagramAddress(new IPEndPoint(IPAddress.Parse("192.168.1.5"), 1))));
    }

    [Fact]
    public void A_neighbour_shares_exactly_the_requested_number_of_bits()
    {
        for (var i = 0; i < 500; i++)
        {
            var own = NodeId.Random();
            Assert.Equal(i % NodeId.Bits, own.Neighbour(i % NodeId.Bits).Shared(own));
        }
    }

    [Theory]
    [InlineData("10.1.2.3", true)]
    [InlineData("172.16.0.1", true)]
    [InlineData("172.32.0.1", false)]
    [InlineData("192.168.0.1", true)]
    [InlineData("100.64.0.1", true)]
    [InlineData("100.128.0.1", false)]
    [InlineData("169.254.1.1", true)]
    [InlineData("127.0.0.1", true)]
    [InlineData("8.8.8.8", false)]
    [InlineData("::1", true)]
    [InlineData("fe80::1", true)]
    [InlineData("fd00::1", true)]
    [InlineData("2001:db8::1", false)]
    public void Local_addresses_are_recognised(string address, bool isLocal) =>
        Assert.Equal(isLocal, new DatagramAddress(new IPEndPoint(IPAddress.Parse(address), 1)).IsLocal);
}
