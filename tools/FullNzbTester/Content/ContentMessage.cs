using NzbDav.FullNzbTester.Findings;

namespace NzbDav.FullNzbTester.Content;

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
