namespace NzbDav.Catalog;

/// <summary>Bytes of all jobs that were ever completed and are not forgotten, and of the latest.</summary>
public readonly record struct HistoryTotals(long Total, long Month, long Week, long Day);
