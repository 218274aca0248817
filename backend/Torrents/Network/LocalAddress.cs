using System.Net;

namespace NzbDav.Torrents.Network;

/// <summary>An address of this machine.</summary>
/// <param name="Device">The interface that has it.</param>
/// <param name="Address">The address; null = the interface has none.</param>
/// <param name="IsUp">The interface can be used.</param>
internal sealed record LocalAddress(string Device, IPAddress? Address, bool IsUp);
