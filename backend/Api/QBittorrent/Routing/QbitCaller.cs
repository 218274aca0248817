using NzbDav.Access.Keys;

namespace NzbDav.Api.QBittorrent.Routing;

/// <summary>The caller.</summary>
/// <param name="Rights">What the caller may do; none if not logged in.</param>
/// <param name="Id">The same in all calls of one client, as far as that can be recognised. The state of <c>sync/maindata</c> is kept by it.</param>
/// <param name="Session">The session of a logged-in caller; null otherwise.</param>
internal sealed record QbitCaller(ApiRights Rights, string Id, string? Session = null)
{
    /// <summary>
    /// True if the caller's network need not log in. Such a caller may also tell the port at which peers reach this server, as a VPN's
    /// program does after each connect, but change nothing else that needs an administrator.
    /// </summary>
    public bool IsOfTrustedNetwork { get; init; }

    /// <summary>A caller without credentials.</summary>
    public static QbitCaller Nobody { get; } = new(ApiRights.None, "");
}
