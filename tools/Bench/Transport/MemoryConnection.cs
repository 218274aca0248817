using System.IO.Pipelines;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http.Features;

namespace NzbDav.Bench.Transport;

/// <summary>Kestrel's end of a connection. The token of the default implementation may be cancelled after it was disposed.</summary>
internal sealed class MemoryConnection : ConnectionContext
{
    private readonly CancellationTokenSource _closed = new();

    /// <param name="transport">Its input carries requests, its output responses.</param>
    /// <param name="memory">Provides Kestrel's blocks.</param>
    public MemoryConnection(IDuplexPipe transport, IMemoryPoolFeature memory)
    {
        Transport = transport;
        ConnectionClosed = _closed.Token;
        Features.Set(memory);
    }

    public override string ConnectionId { get; set; } = "memory";

    public override IFeatureCollection Features { get; } = new FeatureCollection();

    public override IDictionary<object, object?> Items { get; set; } = new ConnectionItems();

    public override IDuplexPipe Transport { get; set; }

    public override CancellationToken ConnectionClosed { get; set; }

    public override void Abort(ConnectionAbortedException abortReason) => _closed.Cancel();
}
