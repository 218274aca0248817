using System.Net;

namespace NzbDav.Bench.Transport;

/// <summary>The endpoint of <see cref="MemoryTransport"/>.</summary>
internal sealed class MemoryEndPoint : EndPoint
{
    public override string ToString() => "memory";
}
