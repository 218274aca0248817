using NzbDav.Content.Secrets;

namespace NzbDav.WebDav.Access;

/// <summary>One name and password known in clear, say from the environment.</summary>
public sealed class FixedCredentialCheck(string knownUser, string knownPassword) : ICredentialCheck
{
    /// <inheritdoc/>
    public ValueTask<bool> IsValidAsync(string user, string password, CancellationToken cancellationToken) =>
        ValueTask.FromResult(SecretText.Matches(knownUser, user) & SecretText.Matches(knownPassword, password));
}
