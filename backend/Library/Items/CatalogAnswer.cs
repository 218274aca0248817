using NzbDav.Catalog.Database;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Items;

/// <summary>Translates a fault of the catalog into the result of a write.</summary>
internal static class CatalogAnswer
{
    public static StoreWriteResult To(CatalogException error) => error.Fault switch
    {
        CatalogFault.DiskFull => StoreWriteResult.InsufficientStorage,
        CatalogFault.RowDamaged => new(StoreWriteStatus.NotFound, error.Message),
        _ => StoreWriteResult.Unavailable(error.Message),
    };
}
