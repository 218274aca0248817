using System.Net;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Mapping;

/// <summary>What a router granted.</summary>
/// <param name="ExternalPort">Where the world reaches us.</param>
/// <param name="Lifetime">For how long. Of a mapping without an end: how long until it is asked for again, as a router that restarts may have lost it.</param>
/// <param name="Method">How it was asked.</param>
/// <param name="ExternalAddress">The router's address on the other side; null = not told.</param>
internal readonly record struct PortLease(int ExternalPort, TimeSpan Lifetime, MappingMethod Method, IPAddress? ExternalAddress);
