using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Jobs;

/// <summary>What a job turned out to be.</summary>
public sealed record JobPublication
{
    /// <summary>Name of the job's collection, made safe; null: the job's name. If it is taken, a number is added.</summary>
    public string? Name { get; init; }

    /// <summary>How long the steps before took.</summary>
    public IReadOnlyList<StepTiming> Timings { get; init; } = [];

    /// <summary>The files, no two with the same path, none below another.</summary>
    public required IReadOnlyList<PublishedFile> Files { get; init; }
}
