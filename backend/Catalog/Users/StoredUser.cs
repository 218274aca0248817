namespace NzbDav.Catalog.Users;

/// <summary>Somebody who may sign in to the interface. Immutable.</summary>
public sealed record StoredUser
{
    /// <summary>As it was given; no other user has it in another case.</summary>
    public required string Name { get; init; }

    /// <summary>The password hash, in the format of ASP.NET Core Identity.</summary>
    public required string Hash { get; init; }

    /// <summary>What the user's sessions must hold. Random, and new with each password.</summary>
    public required string Stamp { get; init; }

    /// <summary>When it was made.</summary>
    public DateTimeOffset Created { get; init; }

    /// <summary>What the user may do.</summary>
    public UserRole Role { get; init; } = UserRole.Administrator;

    /// <summary>The latest request in a session, to the minute; null: none yet.</summary>
    public DateTimeOffset? LastSeen { get; init; }

    /// <summary>The key of a name, equal for names that differ by case alone.</summary>
    public static string Fold(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        return name.ToUpperInvariant();
    }
}

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
