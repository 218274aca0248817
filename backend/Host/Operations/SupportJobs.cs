namespace NzbDav.Host.Operations;

/// <summary>Queue and history in numbers, and the jobs that are worth a look.</summary>
/// <param name="Counts">Jobs by state.</param>
/// <param name="Latest">Those in the queue and those that ended last, newest first.</param>
internal sealed record SupportJobs(Dictionary<string, long> Counts, SupportJob[] Latest);
