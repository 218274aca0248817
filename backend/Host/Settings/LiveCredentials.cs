using NzbDav.WebDav.Access;

namespace NzbDav.Host.Settings;

/// <summary>The user name and password of WebDAV, which may change. Without them all requests are refused. Thread-safe.</summary>
internal sealed class LiveCredentials : ICredentialCheck
{
    private FixedCredentialCheck? _check;

    /// <summary>Replaces the credentials; null: none.</summary>
    public void Set(string? user, string? password) => Volatile.Write(ref _check, user is null || password is null ? null : new FixedCredentialCheck(user, password));

    /// <inheritdoc/>
    public ValueTask<bool> IsValidAsync(string user, string password, CancellationToken cancellationToken) =>
        Volatile.Read(ref _check)?.IsValidAsync(user, password, cancellationToken) ?? ValueTask.FromResult(false);
}
