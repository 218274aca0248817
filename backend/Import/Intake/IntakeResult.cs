using NzbDav.Catalog;

namespace NzbDav.Import;

/// <summary>How an .nzb was taken in: a job, or why not.</summary>
/// <param name="Job">The queued job, the first if a zip held several; null on failure.</param>
/// <param name="Error">What is wrong with the .nzb, with line and column; null on success.</param>
/// <param name="TooLarge">The error is its size.</param>
public sealed record IntakeResult(CatalogJob? Job, string? Error, bool TooLarge = false)
{
    /// <summary>All jobs that it made or met; on failure none, or the failed one that says why.</summary>
    public IReadOnlyList<CatalogJob> Jobs { get; init; } = Job is null ? [] : [Job];

    /// <summary>Bytes that were sent, packed as they were; 0 on failure.</summary>
    public long Received { get; init; }

    /// <summary>True when the job was there before (<see cref="IntakeRequest.ReuseDuplicates"/>).</summary>
    public bool Duplicate { get; init; }

    /// <summary>What is wrong with the others, where some .nzb files of a zip were taken and some not; each begins with its name.</summary>
    public IReadOnlyList<string> Refused { get; init; } = [];
}
