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
