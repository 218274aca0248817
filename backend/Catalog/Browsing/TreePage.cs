using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Browsing;

/// <summary>Part of a list of items.</summary>
/// <param name="Items">In the order that was asked for.</param>
/// <param name="Total">How many there are without paging.</param>
public sealed record TreePage(IReadOnlyList<CatalogItem> Items, int Total);
