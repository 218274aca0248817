namespace NzbDav.Content;

/// <summary>Holds budget that is not needed right now (a cache) and can give it back.</summary>
public interface IBudgetReclaimer
{
    /// <summary>Gives back at least <paramref name="bytes"/> if it can, by calling <see cref="BufferBudget.Release"/>.</summary>
    void Reclaim(long bytes);
}
