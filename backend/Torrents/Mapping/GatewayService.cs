namespace NzbDav.Torrents.Mapping;

/// <summary>What a router offers to map ports with.</summary>
/// <param name="Type">Its name at the UPnP Forum, with the version.</param>
/// <param name="Control">Where it is called.</param>
internal sealed record GatewayService(string Type, Uri Control)
{
    private const string Forum = "urn:schemas-upnp-org:service:";

    /// <summary>Those that can map ports; the best first.</summary>
    public static IReadOnlyList<string> Types { get; } = [Forum + "WANIPConnection:2", Forum + "WANIPConnection:1", Forum + "WANPPPConnection:1"];

    /// <summary>It can choose another external port by itself.</summary>
    public bool CanChoosePort => Type == Types[0];
}
