namespace NzbDav.Catalog.Jobs;

/// <summary>How far a running job is.</summary>
/// <param name="Step">For people.</param>
/// <param name="PerMille">Of the step; 0 … 1000.</param>
/// <param name="TotalBytes">Of all files, as far as known.</param>
/// <param name="FileCount">As far as known.</param>
public readonly record struct JobProgress(string Step, int PerMille, long TotalBytes, int FileCount);
