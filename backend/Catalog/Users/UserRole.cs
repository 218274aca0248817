namespace NzbDav.Catalog.Users;

/// <summary>What a user may do. Stored by its name in lower case; the order is that of the rights.</summary>
public enum UserRole
{
    /// <summary>Look and play.</summary>
    Viewer,

    /// <summary>That, and bring, change and delete jobs and files.</summary>
    Operator,

    /// <summary>Everything.</summary>
    Administrator,
}
