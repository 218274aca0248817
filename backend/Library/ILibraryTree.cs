using NzbDav.Catalog.Links;
using NzbDav.Catalog.Tree;
using NzbDav.Library.Links;
using NzbDav.WebDav.Store;

namespace NzbDav.Library;

/// <summary>What the collections of the tree need of it. Thread-safe.</summary>
internal interface ILibraryTree : IStore
{
    TreeStore Tree { get; }

    HoldStore Holds { get; }

    /// <summary>Old paths that still lead somewhere.</summary>
    MovedPaths Moved { get; }

    /// <summary>Collections at the top that the catalog does not hold, in the order in which they are listed.</summary>
    IReadOnlyList<string> Views { get; }

    /// <summary>True when files that a library has a link to may be deleted.</summary>
    bool DeletesLinked { get; }

    /// <inheritdoc cref="Holding.LibraryKeeper.JudgeForDeletionAsync"/>
    ValueTask<HoldVerdict> JudgeForDeletionAsync(long itemId, CancellationToken cancellationToken);

    /// <summary>Logs that an item cannot be shown, because what the catalog has of it is damaged.</summary>
    void TellDamaged(long id, string reason);

    /// <summary>True for a name that is safe on every system.</summary>
    bool IsSafeName(string name);

    /// <summary>A child that was listed.</summary>
    IStoreItem ItemOf(CatalogItem child, CatalogItem parent);
}
