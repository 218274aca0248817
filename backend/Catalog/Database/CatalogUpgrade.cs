namespace NzbDav.Catalog.Database;

/// <summary>An existing database was brought to a newer schema, for which there is no way back.</summary>
/// <param name="From">The schema that it had.</param>
/// <param name="To">The schema that it has.</param>
/// <param name="Backup">The file with the state before; null: the database server has its own backups.</param>
public sealed record CatalogUpgrade(int From, int To, string? Backup);
