namespace NzbDav.Catalog;

/// <summary>An item on the way from the top to another, or that other itself.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Name">Its name.</param>
public readonly record struct PathStep(long Id, string Name);
