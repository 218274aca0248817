using System.Text.Json;
using System.Text.Json.Serialization;
using NzbDav.FullNzbTester.Comparing;
using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Options;

namespace NzbDav.FullNzbTester.Content;

/// <summary>The content process's task, passed as a JSON file.</summary>
internal sealed record ContentRequest
{
    /// <summary>The .nzb.</summary>
    public required string Nzb { get; init; }

    /// <summary>What the mock posted: the file, or null for its random bytes.</summary>
    public string? SourceFile { get; init; }

    /// <summary>Size of the random file; 0 when there is nothing to compare with.</summary>
    public long SourceLength { get; init; }

    /// <summary>Most that one pass reads.</summary>
    public required long MostBytes { get; init; }

    public required int Seeks { get; init; }

    public required int Streams { get; init; }

    public required double MaxReadMs { get; init; }

    public required int StageLimitS { get; init; }

    /// <summary>True when articles arrive damaged the first time, so a read may be broken off.</summary>
    public bool MayBreakOff { get; init; }

    public PlantedFault Plant { get; init; }

    /// <summary>Indexes of the articles that the provider lacks; null when it has all.</summary>
    public IReadOnlyList<int>? MissingArticles { get; init; }

    /// <summary>Ranges that WebDAV served, to be read again and compared. Null runs all stages instead.</summary>
    public IReadOnlyList<RangeRecord>? Verify { get; init; }

    /// <summary>The file of these ranges; null for the biggest.</summary>
    public string? VerifyName { get; init; }

    /// <summary>True when what is read can be compared with what was posted.</summary>
    public bool HasSource => SourceFile is not null || SourceLength > 0;
}

/// <summary>One line of the content process: a stage's start, its progress, its end, or the report.</summary>
internal sealed record ContentMessage
{
    /// <summary>Name of the stage that begins.</summary>
    public string? Begin { get; init; }

    /// <summary>Progress of the stage, 0 to 1.</summary>
    public double? Progress { get; init; }

    /// <summary>Name of the stage that ends.</summary>
    public string? End { get; init; }

    /// <summary>True if the stage passed.</summary>
    public bool Passed { get; init; }

    /// <summary>Duration of the stage.</summary>
    public double TookMs { get; init; }

    /// <summary>All findings; the last line.</summary>
    public FindingsReport? Report { get; init; }
}

[JsonSourceGenerationOptions(
    JsonSerializerDefaults.Web, UseStringEnumConverter = true, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(ContentRequest))]
[JsonSerializable(typeof(ContentMessage))]
internal sealed partial class TesterJson : JsonSerializerContext;
