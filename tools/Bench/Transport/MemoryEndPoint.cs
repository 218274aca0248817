using System.Net;

namespace NzbDav.Bench.Transport;

/// <summary>Where <see cref="MemoryTransport"/> listens.</summary>
internal sealed class MemoryEndPoint : EndPoint
{
    public override string ToString() => "memory";
}
