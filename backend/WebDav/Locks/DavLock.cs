using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Locks;

/// <summary>A write lock (RFC 4918 §6). Immutable, but for its end, which belongs to <see cref="LockTable"/>.</summary>
internal sealed class DavLock
{
    /// <summary><c>opaquelocktoken:</c> and a UUID.</summary>
    public required string Token { get; init; }

    /// <summary>The lock root.</summary>
    public required StorePath Root { get; init; }

    /// <summary>The root's href ends in a slash.</summary>
    public required bool IsCollection { get; init; }

    public required LockScope Scope { get; init; }

    /// <summary>Depth infinity: holds for everything below the root too.</summary>
    public required bool IsDeep { get; init; }

    /// <summary>The client's <c>owner</c> element as XML of its own; null if it sent none.</summary>
    public required string? Owner { get; init; }

    /// <summary>How long it was granted for last.</summary>
    public TimeSpan Timeout { get; set; }

    /// <summary>When it ends unless refreshed.</summary>
    public DateTimeOffset Expires { get; set; }

    /// <summary>True if the lock protects the item at a path.</summary>
    public bool Covers(StorePath path) => Root.Equals(path) || (IsDeep && path.IsBelow(Root));
}
