namespace NzbDav.Access.Oidc;

/// <summary>Why somebody could not be signed in with OpenID Connect. The message is for that person and the log: it holds nothing secret.</summary>
internal sealed class OidcException : Exception
{
    public OidcException()
    {
    }

    public OidcException(string message)
        : base(message)
    {
    }

    public OidcException(string message, Exception innerException)
        : base(message, innerException)
    {
    }

    /// <summary>Nobody can sign in this way here.</summary>
    public static OidcException None() => new("No OpenID Connect provider is configured.") { Status = 404 };

    /// <summary>Of the answer: 403 for somebody who may not, 502 for a provider that answers nonsense, 503 for one that does not answer.</summary>
    public int Status { get; init; } = 502;
}
