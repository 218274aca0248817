namespace NzbDav.Catalog.Tree;

/// <summary>How the moving of an item ended.</summary>
public enum RelocationOutcome
{
    /// <summary>It is there now.</summary>
    Done,

    /// <summary>The item or its new parent is not there any more.</summary>
    Gone,

    /// <summary>Something else has that name.</summary>
    NameTaken,

    /// <summary>The new parent lies inside the item.</summary>
    IntoItself,
}
