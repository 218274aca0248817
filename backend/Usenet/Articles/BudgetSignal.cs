using NzbDav.Content;

namespace NzbDav.Usenet.Articles;

/// <summary>Turns the budget's callback into a task.</summary>
internal sealed class BudgetSignal(BufferBudget budget) : IBudgetWaiter
{
    private readonly TaskCompletionSource _freed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public async Task WaitAsync(CancellationToken cancellationToken)
    {
        try
        {
            await _freed.Task.WaitAsync(cancellationToken);
        }
        catch (OperationCanceledException)
        {
            Abandon();
            throw;
        }
    }

    /// <summary>
    /// Abandons the wait. If the budget has already called back, wakes the next waiter, which would otherwise wait forever.
    /// </summary>
    public void Abandon()
    {
        if (!_freed.TrySetResult())
            budget.WakeNext();
    }

    void IBudgetWaiter.BudgetFreed()
    {
        if (!_freed.TrySetResult())
            ThreadPool.UnsafeQueueUserWorkItem(static budget => budget.WakeNext(), budget, preferLocal: false);
    }
}
