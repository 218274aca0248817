namespace NzbDav.Access.Users;

/// <summary>Another password.</summary>
internal sealed record PasswordBody
{
    /// <summary>The one that counts until now; needed by users who change their own.</summary>
    public string? Current { get; init; }

    public string? Password { get; init; }
}
