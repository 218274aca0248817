namespace NzbDav.Torrents.Wire.Encryption;

/// <summary>Limits the CPU use of key exchanges to half of the cores, at least one: strangers can start any number of them. Thread-safe.</summary>
internal sealed class KeyExchangeQueue : IDisposable
{
    private readonly SemaphoreSlim _turns = new(Math.Max(1, Environment.ProcessorCount / 2));

    /// <summary>See <see cref="KeyExchange()"/>.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public async ValueTask<KeyExchange> CreateAsync(CancellationToken cancellationToken)
    {
        await _turns.WaitAsync(cancellationToken);
        try
        {
            return new KeyExchange();
        }
        finally
        {
            _turns.Release();
        }
    }

    /// <summary>See <see cref="KeyExchange.TryAgree"/>.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public async ValueTask<bool> AgreeAsync(KeyExchange exchange, ReadOnlyMemory<byte> theirs, Memory<byte> shared, CancellationToken cancellationToken)
    {
        await _turns.WaitAsync(cancellationToken);
        try
        {
            return exchange.TryAgree(theirs.Span, shared.Span);
        }
        finally
        {
            _turns.Release();
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _turns.Dispose();
}
