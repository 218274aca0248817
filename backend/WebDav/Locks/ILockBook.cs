using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Locks;

/// <summary>Storage for locks that several servers share. A single server needs none. Thread-safe.</summary>
public interface ILockBook
{
    /// <summary>Raised after another server changed the locks, or may have; handlers must return quickly.</summary>
    event Action? Changed;

    /// <summary>All locks, including expired ones.</summary>
    ValueTask<IReadOnlyList<HeldLock>> ListAsync(CancellationToken cancellationToken);

    /// <summary>Changes the locks; no other server changes them meanwhile.</summary>
    /// <param name="change">Returns the new locks for the current ones. May be called more than once.</param>
    /// <param name="cancellationToken">Cancels the change; nothing is changed.</param>
    Task UpdateAsync(Func<IReadOnlyList<HeldLock>, IReadOnlyList<HeldLock>> change, CancellationToken cancellationToken);
}

/// <summary>A write lock as it is stored (<see cref="ILockBook"/>).</summary>
/// <param name="Token">Its token.</param>
/// <param name="Root">The locked path.</param>
/// <param name="IsCollection">True if the root is a collection.</param>
/// <param name="IsShared">True if other shared locks may coexist.</param>
/// <param name="IsDeep">True if it also applies to everything below.</param>
/// <param name="Owner">The client's <c>owner</c> element; null if it sent none.</param>
/// <param name="Timeout">The granted duration.</param>
/// <param name="Expires">When it expires.</param>
public sealed record HeldLock(
    string Token, StorePath Root, bool IsCollection, bool IsShared, bool IsDeep, string? Owner, TimeSpan Timeout, DateTimeOffset Expires);
