namespace NzbDav.Catalog.Database;

/// <inheritdoc cref="WriteRequest"/>
internal sealed class WriteRequest<T>(Func<CatalogTransaction, T> work, WriteKind kind) : WriteRequest(kind)
{
    private readonly TaskCompletionSource<T> _done = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private T? _result;

    public Task<T> Done => _done.Task;

    public override void Run(CatalogTransaction transaction) => _result = work(transaction);

    public override void Complete()
    {
        if (Fault is { } fault)
            _done.TrySetException(fault);
        else
            _done.TrySetResult(_result!);
    }

    /// <summary>Cancels the wait for its turn; does nothing once the work has begun.</summary>
    public void Cancel(CancellationToken cancellationToken)
    {
        if (TryCancel())
            _done.TrySetCanceled(cancellationToken);
    }
}
