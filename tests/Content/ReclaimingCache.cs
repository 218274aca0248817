namespace NzbDav.Content.Tests;

/// <summary>Holds budget and gives back what is asked for, as long as it has it.</summary>
internal sealed class ReclaimingCache(BufferBudget budget) : IBudgetReclaimer
{
    private long _held;

    public long Reclaimed { get; private set; }

    public void Hold(long bytes)
    {
        budget.Reserve(bytes);
        _held += bytes;
    }

    public void Reclaim(long bytes)
    {
        var given = Math.Min(bytes, _held);
        if (given == 0)
            return;
        _held -= given;
        Reclaimed += given;
        budget.Release(given);
    }
}
