using NzbDav.Catalog;

namespace NzbDav.Api.Native.Jobs;

/// <summary>Which jobs.</summary>
/// <param name="States">In these states; null: in all.</param>
/// <param name="Kind">Brought as this; null: as anything.</param>
/// <param name="Category">Of this category; null: of all.</param>
/// <param name="Search">With this text in their names; null: with any name.</param>
internal sealed record JobsFilterBody(IReadOnlyList<JobStanding>? States = null, JobKind? Kind = null, string? Category = null, string? Search = null);
