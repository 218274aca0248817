namespace NzbDav.Catalog.Users;

/// <summary>A browser that is signed in. Immutable.</summary>
public sealed record StoredSession
{
    /// <summary>Random; the browser's cookie holds it, sealed.</summary>
    public required string Id { get; init; }

    /// <summary>The name of its user.</summary>
    public required string Username { get; init; }

    /// <summary>How it began: <c>password</c> or <c>oidc</c>. Only the first kind belongs to a <see cref="StoredUser"/>.</summary>
    public required string Via { get; init; }

    /// <summary>When.</summary>
    public DateTimeOffset Begun { get; init; }

    /// <summary>Its latest request, to the minute.</summary>
    public DateTimeOffset Seen { get; init; }

    /// <summary>Where that came from.</summary>
    public string? Address { get; init; }

    /// <summary>The client program of that request, in short.</summary>
    public string? Program { get; init; }
}
