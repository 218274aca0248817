using Microsoft.AspNetCore.Http;

namespace NzbDav.Access.Options;

/// <summary>Where signing in with OpenID Connect goes through, below the URL base.</summary>
internal static class OidcPaths
{
    public const string Scheme = "Oidc";

    /// <summary>A browser that comes here is sent to the provider. <c>return</c> tells where it wants to go afterwards.</summary>
    public static readonly PathString Start = new("/signin/oidc");

    /// <summary>Where the provider sends it back.</summary>
    public static readonly PathString Callback = new("/signin/oidc/callback");
}
