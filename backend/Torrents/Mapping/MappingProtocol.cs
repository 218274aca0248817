namespace NzbDav.Torrents.Mapping;

/// <summary>What a port is for.</summary>
internal enum MappingProtocol
{
    Tcp,
    Udp,
}
