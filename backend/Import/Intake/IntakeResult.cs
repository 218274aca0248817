using NzbDav.Catalog.Jobs;

namespace NzbDav.Import.Intake;

/// <summary>The result of adding an .nzb or a torrent: a job, or why there is none.</summary>
/// <param name="Job">The queued job, the first one if a zip held several; null on failure.</param>
/// <param name="Error">What is wrong with the file, for an .nzb with line and column; null on success.</param>
/// <param name="TooLarge">True if it was refused for its size.</param>
public sealed record IntakeResult(CatalogJob? Job, string? Error, bool TooLarge = false)
{
    /// <summary>All jobs that were created or already existed. On failure none, or the failed job that records the reason.</summary>
    public IReadOnlyList<CatalogJob> Jobs { get; init; } = Job is null ? [] : [Job];

    /// <summary>Bytes that were uploaded, before unpacking; 0 on failure.</summary>
    public long Received { get; init; }

    /// <summary>True if the job already existed (<see cref="IntakeRequest.ReuseDuplicates"/>).</summary>
    public bool Duplicate { get; init; }

    /// <summary>If a zip was accepted in part: what is wrong with each refused .nzb, beginning with its name.</summary>
    public IReadOnlyList<string> Refused { get; init; } = [];
}
