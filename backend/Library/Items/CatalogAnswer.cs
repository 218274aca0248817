using NzbDav.Catalog.Database;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Items;

/// <summary>Translates a fault of the catalog into the result of a write.</summary>
internal static class CatalogAnswer
{
    public static StoreWriteResult To(CatalogException error) =>
        error.Fault == CatalogFault.DiskFull ? StoreWriteResult.InsufficientStorage : StoreWriteResult.Unavailable(error.Message);
}
