using NzbDav.Torrents.Status;

namespace NzbDav.Torrents;

/// <content>What people are shown of it.</content>
internal sealed partial class PeerNetwork
{
    /// <summary>Its part of what is shown.</summary>
    public NetworkStatus Describe()
    {
        MappingStatus? mapping;
        lock (_gate)
            mapping = _mapping?.Status;
        var (options, route) = (_options(), _sockets.Route);
        return new NetworkStatus
        {
            Port = Port,
            Mapping = mapping ?? new MappingStatus(MappingState.Off),
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
}
