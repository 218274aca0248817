namespace NzbDav.Catalog.Database;

/// <summary>One request for the writer thread. Its outcome is set once; continuations run on other threads.</summary>
internal abstract class WriteRequest(WriteKind kind)
{
    private const int Waiting = 0;
    private const int Started = 1;
    private const int Ended = 2;

    private int _state;

    public WriteKind Kind => kind;

    /// <summary>Why it failed; null while it has not.</summary>
    public Exception? Fault { get; set; }

    /// <summary>The transaction after the work has run; null if it did not run.</summary>
    public CatalogTransaction? Transaction { get; set; }

    /// <summary>True if there is something to commit.</summary>
    public bool IsKept => Fault is null && Transaction is { Abandoned: false };

    /// <summary>False if it was cancelled before its turn.</summary>
    public bool TryBegin() => Interlocked.CompareExchange(ref _state, Started, Waiting) != Ended;

    /// <summary>Does the work. May run again, in another transaction, if another request rolled the first one back.</summary>
    public abstract void Run(CatalogTransaction transaction);

    /// <summary>Completes the task with the result or the fault.</summary>
    public abstract void Complete();

    /// <summary>Cancels it unless it has begun.</summary>
    protected bool TryCancel() => Interlocked.CompareExchange(ref _state, Ended, Waiting) == Waiting;
}

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

/// <summary>How a write transaction is committed.</summary>
internal enum WriteKind
{
    /// <summary>Batched with other requests; survives a power cut once its task completes.</summary>
    Durable,

    /// <summary>Batched with other requests; survives a crash of the process, but a power cut may lose it.</summary>
    Relaxed,

    /// <summary>
    /// In a transaction of its own, which sees only committed data: for work that cannot be rolled back, such as removing files.
    /// </summary>
    Exclusive,
}
