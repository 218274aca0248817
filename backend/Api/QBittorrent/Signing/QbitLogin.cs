namespace NzbDav.Api.QBittorrent.Signing;

/// <summary>
/// The credentials with which a session began. The session's rights depend on them: it has none once the key has changed, or the user was deleted or has another
/// password.
/// </summary>
/// <param name="Key">An API key; null for a user.</param>
/// <param name="User">The user's name; null for a key or a trusted network.</param>
/// <param name="Stamp">Changes with the user's password.</param>
internal sealed record QbitLogin(string? Key, string? User = null, string? Stamp = null)
{
    /// <summary>Without the key, because this text goes to logs.</summary>
    public override string ToString() => User ?? "key";
}
