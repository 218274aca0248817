using System.Net;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Mapping;

/// <summary>A mapping that a router granted.</summary>
/// <param name="ExternalPort">Port at which we can be reached from outside.</param>
/// <param name="Lifetime">How long it is valid. For an unlimited mapping: time until it is requested again, as a router that restarts may have lost
/// it.</param>
/// <param name="Method">The protocol by which it was granted.</param>
/// <param name="ExternalAddress">The router's public address; null = not known.</param>
internal readonly record struct PortLease(int ExternalPort, TimeSpan Lifetime, MappingMethod Method, IPAddress? ExternalAddress);
