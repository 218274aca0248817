namespace NzbDav.Catalog;

/// <summary>What became of the wish to remove a user.</summary>
public enum UserRemoval
{
    /// <summary>Gone.</summary>
    Removed,

    /// <summary>There is nobody of that name.</summary>
    NotFound,

    /// <summary>Nobody else is left: kept.</summary>
    Last,
}
