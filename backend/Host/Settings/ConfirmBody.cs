namespace NzbDav.Host.Settings;

/// <summary>The caller's own password, again: lets saved secrets go to other addresses. The full API key needs none.</summary>
internal sealed record ConfirmBody
{
    /// <summary>The caller's own.</summary>
    public string? Password { get; init; }

    /// <summary>For callers who did not sign in with a password: the administrator whose password it is.</summary>
    public string? Username { get; init; }
}
