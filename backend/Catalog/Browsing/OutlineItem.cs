namespace NzbDav.Catalog.Browsing;

/// <summary>As much of an item as an outline holds.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Name">Its name.</param>
/// <param name="IsCollection">True for a collection.</param>
/// <param name="CreatedTicks">When it was made, in ticks of UTC.</param>
public readonly record struct OutlineItem(long Id, string Name, bool IsCollection, long CreatedTicks);
