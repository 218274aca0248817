namespace NzbDav.Access.Sessions;

/// <summary>The first user, and the token from the log.</summary>
internal sealed record SetupBody
{
    public string? Token { get; init; }

    public string? Username { get; init; }

    public string? Password { get; init; }
}
