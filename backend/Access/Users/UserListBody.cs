namespace NzbDav.Access;

/// <summary>All users by name.</summary>
internal sealed record UserListBody(IReadOnlyList<UserBody> Users);
