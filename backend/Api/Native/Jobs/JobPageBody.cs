namespace NzbDav.Api.Native.Jobs;

/// <summary>A part of the list of jobs.</summary>
/// <param name="Items">The jobs.</param>
/// <param name="Total">How many the whole list has.</param>
/// <param name="Offset">How many come before these.</param>
/// <param name="Counts">By state, with all filters but the state.</param>
internal sealed record JobPageBody(IReadOnlyList<JobBody> Items, int Total, int Offset, JobCountsBody Counts);
