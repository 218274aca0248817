using System.Buffers;
using Microsoft.AspNetCore.Connections;

namespace NzbDav.Host.Serving;

/// <summary>Provides Kestrel with a <see cref="BlockPool"/>, one for all connections.</summary>
internal sealed class BlockPoolFactory : IMemoryPoolFactory<byte>
{
    private static readonly BlockPool Pool = new();

    public MemoryPool<byte> Create(MemoryPoolOptions? options = null) => Pool;
}
