namespace NzbDav.Catalog.Browsing;

/// <summary>By what the children of a collection are sorted. Collections come first in each.</summary>
public enum TreeOrder
{
    /// <summary>By name, whatever its case.</summary>
    Name,

    /// <summary>By bytes.</summary>
    Size,

    /// <summary>By the time of the last change.</summary>
    Modified,
}
