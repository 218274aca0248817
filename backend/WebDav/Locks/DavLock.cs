using System.Globalization;
using NzbDav.WebDav.Requests;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Locks;

/// <summary>A write lock (RFC 4918 §6). Immutable except for its expiry, which <see cref="LockTable"/> guards.</summary>
internal sealed class DavLock
{
    /// <summary><c>opaquelocktoken:</c> and a UUID.</summary>
    public required string Token { get; init; }

    /// <summary>The lock root.</summary>
    public required StorePath Root { get; init; }

    /// <summary>True if the root's href ends with a slash.</summary>
    public required bool IsCollection { get; init; }

    public required LockScope Scope { get; init; }

    /// <summary>Depth infinity: the lock also applies to everything below the root.</summary>
    public required bool IsDeep { get; init; }

    /// <summary>The client's <c>owner</c> element as self-contained XML; null if it sent none.</summary>
    public required string? Owner { get; init; }

    /// <summary>The duration granted last.</summary>
    public TimeSpan Timeout { get; set; }

    /// <summary>When it expires unless refreshed.</summary>
    public DateTimeOffset Expires { get; set; }

    /// <summary>True if the lock protects the item at a path.</summary>
    public bool Covers(StorePath path) => Root.Equals(path) || (IsDeep && path.IsBelow(Root));
}

/// <summary>Whether other locks may coexist with a lock.</summary>
internal enum LockScope
{
    /// <summary>No other lock.</summary>
    Exclusive,

    /// <summary>Other shared locks.</summary>
    Shared,
}

/// <summary>A lock as <c>activelock</c> (RFC 4918 §14.1).</summary>
internal static class LockXml
{
    /// <summary>The element, with the prefix <c>D</c> to be declared around it.</summary>
    public static string Of(WebDavRequest request, DavLock held, TimeSpan left) => string.Create(
        CultureInfo.InvariantCulture,
        $"<D:activelock><D:locktype><D:write/></D:locktype><D:lockscope><D:{(held.Scope == LockScope.Exclusive ? "exclusive" : "shared")}/></D:lockscope><D:depth>{(held.IsDeep ? "infinity" : "0")}</D:depth>{held.Owner}<D:timeout>Second-{(long)Math.Max(0, Math.Ceiling(left.TotalSeconds))}</D:timeout><D:locktoken><D:href>{held.Token}</D:href></D:locktoken><D:lockroot><D:href>{request.HrefOf(held.Root, held.IsCollection)}</D:href></D:lockroot></D:activelock>");
}
