namespace NzbDav.Torrents.Status;

/// <summary>Protocol by which a router is asked for a port, in the order in which they are tried.</summary>
public enum MappingMethod
{
    /// <summary>Port Control Protocol (RFC 6887).</summary>
    Pcp,

    /// <summary>NAT Port Mapping Protocol (RFC 6886).</summary>
    NatPmp,

    /// <summary>Internet Gateway Device of the UPnP Forum.</summary>
    Upnp,
}
