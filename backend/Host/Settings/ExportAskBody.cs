namespace NzbDav.Host.Settings;

/// <summary>Asks for all settings as one file.</summary>
internal sealed record ExportAskBody
{
    /// <summary>With passwords and keys.</summary>
    public bool Secrets { get; init; }

    /// <summary>The caller's own, again; needed for secrets.</summary>
    public string? Password { get; init; }

    /// <summary>For callers who did not sign in with a password: the administrator whose password it is.</summary>
    public string? Username { get; init; }
}
