namespace NzbDav.Api.QBittorrent;

/// <summary>Who calls.</summary>
/// <param name="Rights">What the caller may do; none for one who is not logged in.</param>
/// <param name="Id">The same in all calls of one client, as far as can be told: what was synchronised is kept by it.</param>
/// <param name="Session">The session, for one who logged in; null otherwise.</param>
internal sealed record QbitCaller(ApiRights Rights, string Id, string? Session = null)
{
    /// <summary>Somebody who has shown nothing.</summary>
    public static QbitCaller Nobody { get; } = new(ApiRights.None, "");
}
