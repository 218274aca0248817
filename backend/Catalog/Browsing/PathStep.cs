namespace NzbDav.Catalog.Browsing;

/// <summary>One step of a path: an ancestor of an item, or the item itself.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Name">Its name.</param>
public readonly record struct PathStep(long Id, string Name);
