namespace NzbDav.Access.Callers;

/// <summary>How a caller was identified.</summary>
public enum CallerKind
{
    /// <summary>Not identified.</summary>
    Nobody,

    /// <summary>A key that is wrong.</summary>
    WrongKey,

    /// <summary>A key that was not looked at: its address has guessed too often.</summary>
    Throttled,

    /// <summary>A key.</summary>
    Key,

    /// <summary>A session of a user with a password.</summary>
    Password,

    /// <summary>A session of a user of the OpenID Connect provider.</summary>
    Oidc,

    /// <summary>A name from a trusted proxy.</summary>
    Proxy,

    /// <summary>The network that the request comes from.</summary>
    Network,
}
