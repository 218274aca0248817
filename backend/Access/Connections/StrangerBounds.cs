using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace NzbDav.Access.Connections;

/// <summary>
/// What connections on which nobody has signed in may take, of the server's 2,000 in all (<c>WebDavServerLimits</c>).
/// </summary>
public sealed record StrangerBounds
{
    /// <summary>
    /// Connections of one address (IPv6: of one /64). 200 players behind one address that all connect at once have not signed in for a
    /// moment: the check of their password takes 0.1 s.
    /// </summary>
    public int PerAddress { get; init; } = 256;

    /// <summary>
    /// Connections of all addresses. Those who have signed in keep the rest, and beyond it the most crowded address gives way.
    /// </summary>
    public int InAll { get; init; } = 1_500;

    /// <summary>
    /// How long a connection may wait for a request, the first or the next. Browsers and players open another one when they need it.
    /// </summary>
    public TimeSpan Idle { get; init; } = TimeSpan.FromSeconds(20);

    /// <summary>
    /// How fast an answer must be read, in bytes a second after a grace period: HTTP/1.1 only. The page's six connections share a phone's
    /// 10 KB/s at worst.
    /// </summary>
    public MinDataRate ReadRate { get; init; } = new(1_024, TimeSpan.FromSeconds(10));
}
