using System.Globalization;
using NzbDav.WebDav.Requests;

namespace NzbDav.WebDav.Locks;

/// <summary>A lock as <c>activelock</c> (RFC 4918 §14.1).</summary>
internal static class LockXml
{
    /// <summary>The element, with the prefix <c>D</c> to be declared around it.</summary>
    public static string Of(WebDavRequest request, DavLock held, TimeSpan left) => string.Create(
        CultureInfo.InvariantCulture,
        $"<D:activelock><D:locktype><D:write/></D:locktype><D:lockscope><D:{(held.Scope == LockScope.Exclusive ? "exclusive" : "shared")}/></D:lockscope><D:depth>{(held.IsDeep ? "infinity" : "0")}</D:depth>{held.Owner}<D:timeout>Second-{(long)Math.Max(0, Math.Ceiling(left.TotalSeconds))}</D:timeout><D:locktoken><D:href>{held.Token}</D:href></D:locktoken><D:lockroot><D:href>{request.HrefOf(held.Root, held.IsCollection)}</D:href></D:lockroot></D:activelock>");
}
