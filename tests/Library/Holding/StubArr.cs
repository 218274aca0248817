using NzbDav.Catalog.Links;
using NzbDav.Library.Holding;

namespace NzbDav.Library.Tests.Holding;

/// <summary>An *arr whose answers the test sets.</summary>
internal sealed class StubArr(string category) : ILibrarySource
{
    public string Name => "Arr";

    public string? Folder => null;

    public string Prefix => "Arr: ";

    public string? Category => category;

    /// <summary>The answer for each job.</summary>
    public ImportAnswer Answer { get; set; } = ImportAnswer.Never;

    /// <summary>Why the *arr cannot be read; null if it can.</summary>
    public string? Problem { get; set; }

    /// <summary>The links of its files.</summary>
    public List<FoundLink> Links { get; } = [];

    public Task<SourceReading> ReadAsync(CancellationToken cancellationToken) =>
        Task.FromResult(new SourceReading(Problem is null ? Links : [], Problem));

    public Task<ImportAnswer> FindImportAsync(AbandonedJob job, CancellationToken cancellationToken) =>
        Task.FromResult(job.Category != category ? ImportAnswer.NotApplicable : Answer);
}
