using NzbDav.Api.Native.Jobs;

namespace NzbDav.Api.Native.Events;

/// <summary>Data of the event "jobs".</summary>
/// <param name="Changed">Jobs as they are now.</param>
/// <param name="Removed">Ids of jobs that no longer exist.</param>
/// <param name="Counts">Number of all jobs, by state.</param>
internal sealed record JobsEventBody(IReadOnlyList<JobBody> Changed, IReadOnlyList<string> Removed, JobCountsBody Counts);
