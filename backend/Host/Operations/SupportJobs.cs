namespace NzbDav.Host.Operations;

/// <summary>Numbers of the queue and the history, and the most relevant jobs.</summary>
/// <param name="Counts">Jobs by state.</param>
/// <param name="Latest">Jobs in the queue and the latest ended ones, newest first.</param>
internal sealed record SupportJobs(Dictionary<string, long> Counts, SupportJob[] Latest);
