namespace NzbDav.Content.Tests;

internal sealed class CountingWaiter(Action? called = null) : IBudgetWaiter
{
    private int _calls;

    public int Calls => Volatile.Read(ref _calls);

    public void BudgetFreed()
    {
        Interlocked.Increment(ref _calls);
        called?.Invoke();
    }
}
