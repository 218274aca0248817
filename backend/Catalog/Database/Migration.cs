namespace NzbDav.Catalog.Database;

/// <summary>One step from a schema to the next.</summary>
/// <param name="Number">From 1 up, in the order of application; gaps are allowed.</param>
/// <param name="Name">For people.</param>
/// <param name="Sql">Statements, applied together or not at all.</param>
internal sealed record Migration(int Number, string Name, string Sql);
