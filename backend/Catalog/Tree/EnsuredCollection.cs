namespace NzbDav.Catalog.Tree;

/// <summary>What stands under a name after a collection was asked for.</summary>
/// <param name="Item">What was made or was there before; a file if the name was taken by one.</param>
/// <param name="Created">True if it was made now.</param>
public readonly record struct EnsuredCollection(CatalogItem Item, bool Created);
