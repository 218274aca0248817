using NzbDav.Catalog.Jobs;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Drop;

/// <summary>The outcome of an upload.</summary>
/// <param name="Result">Created, or why not.</param>
/// <param name="Jobs">The jobs that were made: one for an .nzb, several for a zip of them, the failed one of a torrent that was refused; else none.</param>
/// <param name="Length">Bytes that were sent.</param>
public sealed record TakenNzb(StoreWriteResult Result, IReadOnlyList<CatalogJob> Jobs, long Length);
