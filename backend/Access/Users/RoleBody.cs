using NzbDav.Catalog.Users;

namespace NzbDav.Access.Users;

/// <summary>Another role.</summary>
internal sealed record RoleBody
{
    /// <summary>What the user may do from the next request on.</summary>
    public UserRole? Role { get; init; }
}
