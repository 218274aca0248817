using System.Buffers;
using System.IO.Pipelines;
using System.Net;
using System.Threading.Channels;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;

namespace NzbDav.Bench.Transport;

/// <summary>Gives Kestrel connections that are pairs of pipes: the server without the kernel. One listener; thread-safe.</summary>
internal sealed class MemoryTransport : IConnectionListenerFactory, IConnectionListener, IMemoryPoolFeature
{
    /// <summary>What Kestrel's sockets buffer in each direction before they wait (MaxRequestBufferSize, MaxResponseBufferSize).</summary>
    private const long RequestBytes = 1 << 20;
    private const long ResponseBytes = 64 << 10;

    private readonly Channel<ConnectionContext> _accepted = Channel.CreateUnbounded<ConnectionContext>();

    public EndPoint EndPoint { get; } = new MemoryEndPoint();

    public MemoryPool<byte> MemoryPool { get; } = new BlockPool();

    public ValueTask<IConnectionListener> BindAsync(EndPoint endpoint, CancellationToken cancellationToken = default) => new(this);

    /// <summary>Opens a connection.</summary>
    /// <returns>The client's end.</returns>
    public IDuplexPipe Connect()
    {
        var requests = new Pipe(Options(RequestBytes));
        var responses = new Pipe(Options(ResponseBytes));
        _accepted.Writer.TryWrite(new MemoryConnection(new DuplexPipe(requests.Reader, responses.Writer), this));
        return new DuplexPipe(responses.Reader, requests.Writer);
    }

    public async ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default) =>
        await _accepted.Reader.WaitToReadAsync(cancellationToken) && _accepted.Reader.TryRead(out var connection) ? connection : null;

    public ValueTask UnbindAsync(CancellationToken cancellationToken = default)
    {
        _accepted.Writer.TryComplete();
        return ValueTask.CompletedTask;
    }

    public ValueTask DisposeAsync() => UnbindAsync();

    private PipeOptions Options(long bytes) =>
        new(MemoryPool, pauseWriterThreshold: bytes, resumeWriterThreshold: bytes / 2, useSynchronizationContext: false);
}

/// <summary>The endpoint of <see cref="MemoryTransport"/>.</summary>
internal sealed class MemoryEndPoint : EndPoint
{
    public override string ToString() => "memory";
}

/// <summary>One end of a connection.</summary>
internal sealed record DuplexPipe(PipeReader Input, PipeWriter Output) : IDuplexPipe;
