using NzbDav.Catalog.Tree;
using NzbDav.Library.Opening;

namespace NzbDav.Library.Links;

/// <summary>Makes files under their stable paths. Thread-safe.</summary>
/// <param name="opener">Opens them.</param>
/// <param name="given">Records which paths clients have read.</param>
internal sealed class IdFiles(ContentOpener opener, GivenLinks given)
{
    /// <summary>A file under its stable path.</summary>
    /// <param name="item">The file.</param>
    /// <param name="name">See <see cref="IdFile"/>.</param>
    public IdFile Of(CatalogItem item, string? name = null) => new(item, new LibraryFile(item, opener), given, name);
}
