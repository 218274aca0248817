using NzbDav.Access.Keys;
using NzbDav.Catalog.Users;

namespace NzbDav.Access.Callers;

/// <summary>Converts roles to rights and back.</summary>
public static class Roles
{
    /// <summary>The rights of a role.</summary>
    public static ApiRights RightsOf(UserRole role) => role switch
    {
        UserRole.Administrator => ApiRights.Full,
        UserRole.Operator => ApiRights.Read | ApiRights.Add | ApiRights.Change,
        _ => ApiRights.Read,
    };

    /// <summary>The highest role whose rights are all included; null for less than a viewer's rights.</summary>
    public static UserRole? Of(ApiRights rights)
    {
        foreach (var role in (ReadOnlySpan<UserRole>)[UserRole.Administrator, UserRole.Operator, UserRole.Viewer])
        {
            if (rights.HasFlag(RightsOf(role)))
                return role;
        }

        return null;
    }

    /// <summary>The rights by name, in camelCase.</summary>
    public static IReadOnlyList<string> NamesOf(ApiRights rights) =>
        [.. new[] { ApiRights.Read, ApiRights.Add, ApiRights.Change, ApiRights.Manage }.Where(right => rights.HasFlag(right))
            .Select(right => right.ToString().ToLowerInvariant())];
}
