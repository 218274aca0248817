using System.Net;

namespace NzbDav.Bench;

/// <summary>Where <see cref="MemoryTransport"/> listens.</summary>
internal sealed class MemoryEndPoint : EndPoint
{
    public override string ToString() => "memory";
}
