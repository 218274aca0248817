namespace NzbDav.Api.Native.Jobs;

/// <summary>Something to be done with jobs: those with these ids, or all that a filter finds.</summary>
/// <param name="Action">What.</param>
/// <param name="Ids">Which; null with a filter. At most 1,000.</param>
/// <param name="Filter">Which; null with ids.</param>
/// <param name="Priority">For priority: -1 to 2.</param>
/// <param name="Category">For category.</param>
/// <param name="Name">For rename.</param>
/// <param name="WithFiles">For delete: what the jobs published, too.</param>
/// <param name="Position">For move: 0 is first, -1 last. Several keep their order among each other.</param>
internal sealed record JobsActionBody(
    JobsActionName? Action,
    IReadOnlyList<string?>? Ids = null,
    JobsFilterBody? Filter = null,
    int? Priority = null,
    string? Category = null,
    string? Name = null,
    bool? WithFiles = null,
    int? Position = null);
