namespace NzbDav.Access.Users;

/// <summary>All users by name.</summary>
internal sealed record UserListBody(IReadOnlyList<UserBody> Users);
