using NzbDav.FullNzbTester.Findings;

namespace NzbDav.FullNzbTester.Content;

/// <summary>One line of the content process. Either a stage's begin, its progress or its end, or the report is set.</summary>
internal sealed record ContentMessage
{
    /// <summary>A stage begins.</summary>
    public string? Begin { get; init; }

    /// <summary>How much of it is done.</summary>
    public double? Progress { get; init; }

    /// <summary>A stage ends.</summary>
    public string? End { get; init; }

    /// <summary>How it ended.</summary>
    public bool Passed { get; init; }

    /// <summary>How long it took.</summary>
    public double TookMs { get; init; }

    /// <summary>The last line: all that was found.</summary>
    public FindingsReport? Report { get; init; }
}
