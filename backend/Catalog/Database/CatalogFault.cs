namespace NzbDav.Catalog.Database;

/// <summary>What kind of trouble the catalog has, so that callers need not read the message.</summary>
public enum CatalogFault
{
    /// <summary>The database file is damaged or is not a database.</summary>
    Corrupt,

    /// <summary>The folder or a file in it cannot be written or opened.</summary>
    NotWritable,

    /// <summary>The disk or the quota is full.</summary>
    DiskFull,

    /// <summary>A newer version of the program made the database.</summary>
    NewerVersion,

    /// <summary>Another process kept the database locked for too long: trying again may succeed.</summary>
    Busy,

    /// <summary>The database server cannot be reached or is not ready: trying again later may succeed.</summary>
    Unavailable,

    /// <summary>The engine in use does not do this.</summary>
    NotSupported,

    /// <summary>The disk reported an error.</summary>
    Storage,

    /// <summary>A blob is not there.</summary>
    BlobMissing,

    /// <summary>A blob's bytes are not what its name says.</summary>
    BlobDamaged,

    /// <summary>What a row says of one item makes no sense. The rest of the catalog is not affected.</summary>
    RowDamaged,
}
