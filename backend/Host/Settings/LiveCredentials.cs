using NzbDav.WebDav;

namespace NzbDav.Host.Settings;

/// <summary>The name and the password of WebDAV, which may change. Without them nobody is let in. Thread-safe.</summary>
internal sealed class LiveCredentials : ICredentialCheck
{
    private FixedCredentialCheck? _check;

    /// <summary>Other ones from now on; null: none.</summary>
    public void Set(string? user, string? password) => Volatile.Write(ref _check, user is null || password is null ? null : new FixedCredentialCheck(user, password));

    /// <inheritdoc/>
    public ValueTask<bool> IsValidAsync(string user, string password, CancellationToken cancellationToken) =>
        Volatile.Read(ref _check)?.IsValidAsync(user, password, cancellationToken) ?? ValueTask.FromResult(false);
}
