namespace NzbDav.Access.Sessions;

/// <summary>A name and a password.</summary>
internal sealed record SignInBody
{
    public string? Username { get; init; }

    public string? Password { get; init; }
}
