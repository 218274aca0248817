namespace NzbDav.Catalog.Users;

/// <summary>Outcome of removing a user or changing the user's role.</summary>
public enum UserChange
{
    /// <summary>Done.</summary>
    Done,

    /// <summary>There is nobody of that name.</summary>
    NotFound,

    /// <summary>Nothing changed: no administrator would be left.</summary>
    LastAdministrator,
}
