using NzbDav.WebDav.Store;

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

/// <summary>A write lock as it is stored (<see cref="ILockBook"/>).</summary>
/// <param name="Token">Names it.</param>
/// <param name="Root">The path that it is on.</param>
/// <param name="IsCollection">True if that is a collection.</param>
/// <param name="IsShared">True if other shared locks may be beside it.</param>
/// <param name="IsDeep">True if it holds for everything below too.</param>
/// <param name="Owner">The client's <c>owner</c> element; null if it sent none.</param>
/// <param name="Timeout">How long it was granted for.</param>
/// <param name="Expires">When it ends.</param>
public sealed record HeldLock(
    string Token, StorePath Root, bool IsCollection, bool IsShared, bool IsDeep, string? Owner, TimeSpan Timeout, DateTimeOffset Expires);
