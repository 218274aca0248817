namespace NzbDav.Host.Changing;

/// <summary>Requests an export of all settings as one file.</summary>
internal sealed record ExportAskBody
{
    /// <summary>True to include passwords and keys.</summary>
    public bool Secrets { get; init; }

    /// <summary>The caller's own password, entered again; needed to include secrets.</summary>
    public string? Password { get; init; }

    /// <summary>For callers who did not sign in with a password: the administrator whose password it is.</summary>
    public string? Username { get; init; }
}
