using NzbDav.Catalog;
using NzbDav.Library.Holding;

namespace NzbDav.Library.Tests.Holding;

/// <summary>An *arr that says what the test wants.</summary>
internal sealed class StubArr(string category) : ILibrarySource
{
    public string Name => "Arr";

    public string? Folder => null;

    public string Prefix => "Arr: ";

    public string? Category => category;

    /// <summary>What it says of each job.</summary>
    public ImportAnswer Answer { get; set; } = ImportAnswer.Never;

    /// <summary>Why it cannot be read.</summary>
    public string? Problem { get; set; }

    /// <summary>What its files lead to.</summary>
    public List<FoundLink> Links { get; } = [];

    public Task<SourceReading> ReadAsync(CancellationToken cancellationToken) => Task.FromResult(new SourceReading(Problem is null ? Links : [], Problem));

    public Task<ImportAnswer> AskAsync(ReleasedJob job, CancellationToken cancellationToken) =>
        Task.FromResult(job.Category != category ? ImportAnswer.NotAsked : Answer);
}
