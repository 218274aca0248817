using NzbDav.Torrents.Mapping;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents;

/// <content>Its state, for display.</content>
internal sealed partial class PeerNetwork
{
    /// <summary>The status of the engine's network, except the fields that the engine itself fills in.</summary>
    public NetworkStatus Describe()
    {
        var mapping = _forwarding.Status;
        var (options, route) = (_options(), _sockets.Route);
        return new NetworkStatus
        {
            Port = Port,
            MappingState = StateOf(_forwarding),
            Mapping = mapping,
            PinholeState = StateOf(_pinholes),
            Pinhole = _pinholes.Status,
            Inbound4 = _inbound.Four,
            Inbound6 = _inbound.Six,
            Bind = options.Bind,
            Device = route.Device,
            Addresses = [.. new[] { route.IPv4, route.IPv6 }.OfType<System.Net.IPAddress>()],
            Trouble = route.Trouble,
            Proxy = route.Proxy?.ToString(),
            HasBlocklist = options.Blocklist is not null,
            BlockedRanges = _blocklist.Count,
            Blocked = _blocklist.Refused,
            Encryption = options.Encryption,
        };
    }

    private static MappingState StateOf(PortForwarding forwarding) => forwarding.Status switch
    {
        { Method: not null } => MappingState.Mapped,
        { Trouble: not null } => MappingState.Failed,
        { HasRouter: false } => MappingState.Off,
        _ => forwarding.IsOn ? MappingState.Asking : MappingState.Off,
    };
}
