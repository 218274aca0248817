using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Moving;
using NzbDav.Catalog.Tree;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Items;

/// <summary>The parts of the catalog that the tree is built from.</summary>
/// <param name="Tree">Collections and files.</param>
/// <param name="Jobs">Jobs that are waiting, running, completed or failed.</param>
/// <param name="Blobs">The dropped files.</param>
/// <param name="Links">Links for the *arrs, and stable paths.</param>
/// <param name="Holds">The files that libraries have links to.</param>
/// <param name="Unwanted">What nobody wants any more, some of it hidden.</param>
/// <param name="Aliases">Paths of other programs that lead to files here.</param>
public sealed record LibraryCatalog(
    TreeStore Tree, JobStore Jobs, BlobStore Blobs, LinkStore Links, HoldStore Holds, UnwantedItems Unwanted, AliasStore Aliases);

/// <summary>Translates an error of the catalog into the result of a write.</summary>
internal static class CatalogAnswer
{
    public static StoreWriteResult To(CatalogException error) => error.Fault switch
    {
        CatalogFault.DiskFull => StoreWriteResult.InsufficientStorage,
        CatalogFault.RowDamaged => new(StoreWriteStatus.NotFound, error.Message),
        _ => StoreWriteResult.Unavailable(error.Message),
    };
}

/// <summary>Adjusts dates to what clients accept.</summary>
internal static class StableDate
{
    /// <summary>
    /// The date, or 1970 if it is earlier: clients reject earlier dates, and the root of the tree has no date of its own.
    /// </summary>
    public static DateTimeOffset Of(DateTimeOffset date) => date < DateTimeOffset.UnixEpoch ? DateTimeOffset.UnixEpoch : date;
}
