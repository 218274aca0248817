using NzbDav.FullNzbTester.Comparing;
using NzbDav.FullNzbTester.Options;

namespace NzbDav.FullNzbTester.Content;

/// <summary>What the content process is to do; a file of JSON hands it over.</summary>
internal sealed record ContentRequest
{
    /// <summary>The .nzb.</summary>
    public required string Nzb { get; init; }

    /// <summary>What the mock posted: the file, or null for its random bytes.</summary>
    public string? SourceFile { get; init; }

    /// <summary>Bytes of the random file; 0 when there is nothing to compare with.</summary>
    public long SourceLength { get; init; }

    /// <summary>Most that one pass reads.</summary>
    public required long MostBytes { get; init; }

    public required int Seeks { get; init; }

    public required int Streams { get; init; }

    public required double MaxReadMs { get; init; }

    public required int StageLimitS { get; init; }

    /// <summary>True when articles come damaged the first time, so that a read may be broken off.</summary>
    public bool MayBreakOff { get; init; }

    public PlantedFault Plant { get; init; }

    /// <summary>Articles that the provider does not have; null when it has all.</summary>
    public IReadOnlyList<int>? MissingArticles { get; init; }

    /// <summary>Ranges that WebDAV served: only read again and compared. Null for the whole life cycle.</summary>
    public IReadOnlyList<RangeRecord>? Verify { get; init; }

    /// <summary>The file that they are of; null for the biggest.</summary>
    public string? VerifyName { get; init; }

    /// <summary>True when what is read can be compared with what was posted.</summary>
    public bool HasSource => SourceFile is not null || SourceLength > 0;
}
