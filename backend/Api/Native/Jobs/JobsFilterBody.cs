using NzbDav.Catalog.Jobs;

namespace NzbDav.Api.Native.Jobs;

/// <summary>Selects jobs.</summary>
/// <param name="States">Jobs in these states; null: in any.</param>
/// <param name="Kind">Jobs added as this; null: as anything.</param>
/// <param name="Category">Jobs of this category; null: of any.</param>
/// <param name="Search">Jobs with this text in their names; null: with any name.</param>
internal sealed record JobsFilterBody(IReadOnlyList<JobStanding>? States = null, JobKind? Kind = null, string? Category = null, string? Search = null);
