using NzbDav.Catalog.Browsing;
using NzbDav.Catalog.Tree;

namespace NzbDav.Api.Native.Files;

/// <summary>An item of <c>/content</c> with its path.</summary>
/// <param name="Item">The item.</param>
/// <param name="Steps">From <c>content</c> to the item itself.</param>
internal sealed record FoundItem(CatalogItem Item, IReadOnlyList<PathStep> Steps)
{
    /// <summary>Its path, with a slash before each name, not encoded.</summary>
    public string Path => "/" + string.Join('/', Steps.Select(step => step.Name));

    /// <summary>The names, for the store.</summary>
    public string[] Names => [.. Steps.Select(step => step.Name)];
}
