using NzbDav.Fuzz.Contract;
using NzbDav.Torrents.Mapping;

namespace NzbDav.Fuzz.Formats;

/// <summary>Descriptions of routers (UPnP).</summary>
internal sealed class GatewayTarget() : FuzzTarget("gateway", "Descriptions of routers")
{
    private static readonly Uri Location = new("http://192.0.2.1:5000/device.xml");

    private static readonly string[] Types = [
        "urn:schemas-upnp-org:service:WANIPConnection:1", "urn:schemas-upnp-org:service:WANIPv6FirewallControl:1"];

    public override bool IsCut => false;

    public override IReadOnlyList<byte[]> Words { get; } = [.. "<device>|</device>|<service>|</service>|<serviceType>|<controlURL>|<URLBase>|<!DOCTYPE x [<!ENTITY a \"b\">]>|&a;|http://|//evil/|file:///|xmlns=\"\"|<?xml version=\"1.0\"?>".Split('|').Select(Text)];

    public override long MostAllocated(int length) => (1 << 20) + (600L * length);

    public override object? Run(byte[] input, Cuts cuts)
    {
        var services = GatewayDescription.Read(input, Location, Types);
        return string.Join('\n', services);
    }
}
