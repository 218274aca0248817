using NzbDav.Catalog;

namespace NzbDav.Api.Native.Files;

/// <summary>An item of <c>/content</c> and where it is.</summary>
/// <param name="Item">The item.</param>
/// <param name="Steps">From <c>content</c> to the item itself.</param>
internal sealed record FoundItem(CatalogItem Item, IReadOnlyList<PathStep> Steps)
{
    /// <summary>With a slash before each name, not encoded.</summary>
    public string Path => "/" + string.Join('/', Steps.Select(step => step.Name));

    /// <summary>The names, for the store.</summary>
    public string[] Names => [.. Steps.Select(step => step.Name)];
}
