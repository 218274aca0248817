namespace NzbDav.Catalog.Jobs;

/// <summary>Bytes of all completed jobs that are still stored, and of those of the last month, week and day.</summary>
public readonly record struct HistoryTotals(long Total, long Month, long Week, long Day);
