using Microsoft.AspNetCore.Http;
using NzbDav.Content.Secrets;

namespace NzbDav.WebDav.Access;

/// <summary>Checks the credentials of WebDAV. Implemented by the host. Thread-safe.</summary>
public interface ICredentialCheck
{
    /// <summary>
    /// Judges a name and a password; meant to be slow (a password hash). Answers are cached briefly, and the same question is asked once
    /// at a time. Must compare in constant time and take as long for an unknown name as for a wrong password.
    /// </summary>
    ValueTask<bool> IsValidAsync(string user, string password, CancellationToken cancellationToken);
}

/// <summary>
/// Told of each request that comes with the right password or a link that counts, and of all where no password is asked for. Implemented by
/// the host. Thread-safe.
/// </summary>
public interface IAdmissionListener
{
    /// <summary>The request is admitted; nothing of its answer was sent yet. Must not block.</summary>
    void Admitted(HttpContext http);
}

/// <summary>One name and password known in clear, say from the environment.</summary>
public sealed class FixedCredentialCheck(string knownUser, string knownPassword) : ICredentialCheck
{
    /// <inheritdoc/>
    public ValueTask<bool> IsValidAsync(string user, string password, CancellationToken cancellationToken) =>
        ValueTask.FromResult(SecretText.Matches(knownUser, user) & SecretText.Matches(knownPassword, password));
}
