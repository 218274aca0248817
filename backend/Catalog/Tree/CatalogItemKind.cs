namespace NzbDav.Catalog.Tree;

/// <summary>What an item of the tree is.</summary>
public enum CatalogItemKind
{
    /// <summary>Holds other items.</summary>
    Collection,

    /// <summary>Has bytes.</summary>
    File,
}
