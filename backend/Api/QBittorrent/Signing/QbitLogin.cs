namespace NzbDav.Api.QBittorrent;

/// <summary>By what a session was begun. It opens what that opens now: a key that was changed, or a user who is gone or has another password, opens nothing.</summary>
/// <param name="Key">An API key; null for a user.</param>
/// <param name="User">The user's name; null for a key, and for a network that is trusted.</param>
/// <param name="Stamp">Changes with the user's password.</param>
internal sealed record QbitLogin(string? Key, string? User = null, string? Stamp = null)
{
    /// <summary>Without the key: this is for logs.</summary>
    public override string ToString() => User ?? "key";
}
