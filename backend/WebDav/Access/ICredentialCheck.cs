using Microsoft.AspNetCore.Http;
using NzbDav.Content.Secrets;

namespace NzbDav.WebDav.Access;

/// <summary>Checks the credentials of WebDAV. Implemented by the host. Thread-safe.</summary>
public interface ICredentialCheck
{
    /// <summary>
    /// Checks a name and a password; meant to be slow (a password hash). Results are cached briefly, and simultaneous checks of the same
    /// credentials share one call. Must compare in constant time and take as long for an unknown name as for a wrong password.
    /// </summary>
    ValueTask<bool> IsValidAsync(string user, string password, CancellationToken cancellationToken);
}

/// <summary>
/// Notified of each request with the right password or a valid link, and of all requests if no password is required. Implemented by the
/// host. Thread-safe.
/// </summary>
public interface IAdmissionListener
{
    /// <summary>The request is admitted; its response has not started. Must not block.</summary>
    void Admitted(HttpContext http);
}

/// <summary>One name and password known in clear text, for instance from the environment.</summary>
public sealed class FixedCredentialCheck(string knownUser, string knownPassword) : ICredentialCheck
{
    /// <inheritdoc/>
    public ValueTask<bool> IsValidAsync(string user, string password, CancellationToken cancellationToken) =>
        ValueTask.FromResult(SecretText.Matches(knownUser, user) & SecretText.Matches(knownPassword, password));
}
