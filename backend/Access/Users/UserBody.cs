using NzbDav.Catalog.Users;

namespace NzbDav.Access.Users;

/// <summary>A user, as others may see them.</summary>
/// <param name="Username">The name.</param>
/// <param name="Role">What the user may do.</param>
/// <param name="Created">When it was made.</param>
/// <param name="LastSeen">The latest request, to the minute; null: none yet.</param>
internal sealed record UserBody(string Username, UserRole Role, DateTimeOffset Created, DateTimeOffset? LastSeen)
{
    public static UserBody Of(StoredUser user) => new(user.Name, user.Role, user.Created, user.LastSeen);
}
