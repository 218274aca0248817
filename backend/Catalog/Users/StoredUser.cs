namespace NzbDav.Catalog.Users;

/// <summary>A user who may sign in to the interface. Immutable.</summary>
public sealed record StoredUser
{
    /// <summary>As it was given; unique regardless of case.</summary>
    public required string Name { get; init; }

    /// <summary>The password hash, in the format of ASP.NET Core Identity.</summary>
    public required string Hash { get; init; }

    /// <summary>Must match in the user's sessions. Random, and new with each password.</summary>
    public required string Stamp { get; init; }

    /// <summary>When the user was created.</summary>
    public DateTimeOffset Created { get; init; }

    /// <summary>What the user may do.</summary>
    public UserRole Role { get; init; } = UserRole.Administrator;

    /// <summary>The latest request in a session, to the minute; null: none yet.</summary>
    public DateTimeOffset? LastSeen { get; init; }

    /// <summary>The key of a name, equal for names that differ only in case.</summary>
    public static string Fold(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        return name.ToUpperInvariant();
    }
}

/// <summary>What a user may do. Stored as the name in lower case. Ordered by rights.</summary>
public enum UserRole
{
    /// <summary>Look and play.</summary>
    Viewer,

    /// <summary>Also add, change and delete jobs and files.</summary>
    Operator,

    /// <summary>Everything.</summary>
    Administrator,
}
