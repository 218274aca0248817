namespace NzbDav.Api.Native.Jobs;

/// <summary>A part of the list of jobs.</summary>
/// <param name="Items">The jobs.</param>
/// <param name="Total">Number of jobs in the whole list.</param>
/// <param name="Offset">Number of jobs before these.</param>
/// <param name="Counts">Number of jobs by state, with all filters applied except the one by state.</param>
internal sealed record JobPageBody(IReadOnlyList<JobBody> Items, int Total, int Offset, JobCountsBody Counts);
