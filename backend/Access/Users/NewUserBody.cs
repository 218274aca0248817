using NzbDav.Catalog.Users;

namespace NzbDav.Access.Users;

/// <summary>Somebody who shall be able to sign in.</summary>
internal sealed record NewUserBody
{
    /// <summary>1 to 64 characters.</summary>
    public string? Username { get; init; }

    /// <summary>10 to 256 characters.</summary>
    public string? Password { get; init; }

    /// <summary>What the user may do; null: administrator.</summary>
    public UserRole? Role { get; init; }
}
