namespace NzbDav.Host.Changing;

/// <summary>The caller's own password, entered again: it allows saved secrets to be sent to new addresses. Not needed with the full API key.</summary>
internal sealed record ConfirmBody
{
    /// <summary>The caller's own password.</summary>
    public string? Password { get; init; }

    /// <summary>For callers who did not sign in with a password: the administrator whose password it is.</summary>
    public string? Username { get; init; }
}
