namespace NzbDav.Api.Native.Jobs;

/// <summary>An action on jobs: those with the given ids, or all that match a filter.</summary>
/// <param name="Action">The action.</param>
/// <param name="Ids">Ids of the jobs, at most 1,000; null with a filter.</param>
/// <param name="Filter">Selects the jobs; null with ids.</param>
/// <param name="Priority">For priority: the new priority, -1 to 2.</param>
/// <param name="Category">For category: the new category.</param>
/// <param name="Name">For rename: the new name.</param>
/// <param name="WithFiles">For delete: also delete the files that the jobs published.</param>
/// <param name="Position">For move: 0 is first, -1 last. Several jobs keep their relative order.</param>
internal sealed record JobsActionBody(
    JobsActionName? Action,
    IReadOnlyList<string?>? Ids = null,
    JobsFilterBody? Filter = null,
    int? Priority = null,
    string? Category = null,
    string? Name = null,
    bool? WithFiles = null,
    int? Position = null);
