namespace NzbDav.WebDav.Locks;

/// <summary>Where several servers keep the locks that they hold together. A server that is alone needs none. Thread-safe.</summary>
public interface ILockBook
{
    /// <summary>Raised after another server changed them, or may have; handlers must return quickly.</summary>
    event Action? Changed;

    /// <summary>All of them, expired ones too.</summary>
    ValueTask<IReadOnlyList<HeldLock>> ListAsync(CancellationToken cancellationToken);

    /// <summary>Changes them; no other server changes them meanwhile.</summary>
    /// <param name="change">Gives all that are held afterwards for those that are held. May be called more than once.</param>
    /// <param name="cancellationToken">Gives up; nothing is changed.</param>
    Task UpdateAsync(Func<IReadOnlyList<HeldLock>, IReadOnlyList<HeldLock>> change, CancellationToken cancellationToken);
}
