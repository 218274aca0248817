using NzbDav.Catalog.Users;

namespace NzbDav.Access.Sessions;

/// <summary>What an interface has to know before it shows anything.</summary>
internal sealed record SessionBody
{
    /// <summary>What the page shows first.</summary>
    public required SessionState State { get; init; }

    /// <summary>Who is signed in; null if nobody is, or nobody by name.</summary>
    public string? Username { get; init; }

    /// <summary>The role that <see cref="Rights"/> come to; null signed out, and for keys that open less than a viewer's.</summary>
    public UserRole? Role { get; init; }

    /// <summary>How: <c>password</c>, <c>oidc</c>, <c>proxy</c>, <c>network</c> or <c>key</c>.</summary>
    public string? Via { get; init; }

    /// <summary>What is open: some of <c>read</c>, <c>add</c>, <c>change</c>, <c>manage</c>.</summary>
    public IReadOnlyList<string> Rights { get; init; } = [];

    /// <summary>What a browser must send as <c>X-CSRF-Token</c> with everything that changes something; null with a key, which needs none.</summary>
    public string? CsrfToken { get; init; }

    /// <summary>Where to sign in with OpenID Connect, below the URL base; null if there is no provider.</summary>
    public string? OidcPath { get; init; }

    /// <summary>True for the demo.</summary>
    public bool Demo { get; init; }

    /// <summary>Of the server; null signed out.</summary>
    public string? Version { get; init; }
}
