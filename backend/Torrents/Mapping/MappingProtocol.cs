namespace NzbDav.Torrents.Mapping;

/// <summary>Transport protocol of a port.</summary>
internal enum MappingProtocol
{
    Tcp,
    Udp,
}
