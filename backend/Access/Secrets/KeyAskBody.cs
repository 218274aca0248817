using NzbDav.Access.Keys;

namespace NzbDav.Access.Secrets;

/// <summary>Asks to see an API key.</summary>
internal sealed record KeyAskBody
{
    /// <summary>Which.</summary>
    public KeyName? Key { get; init; }

    /// <summary>The caller's own, again.</summary>
    public string? Password { get; init; }

    /// <summary>For callers who did not sign in with a password: the administrator whose password it is.</summary>
    public string? Username { get; init; }
}
