using NzbDav.Library.Export;

namespace NzbDav.Host.Twins;

/// <summary>How a folder that is kept in step with a category stands. Immutable.</summary>
/// <param name="Options">What stands in it.</param>
internal sealed record TwinStatus(ExportOptions Options)
{
    public TwinState State { get; init; }

    /// <summary>Files and links of ours that were right when the folder was last brought up to date; null: not since the start.</summary>
    public int? Files { get; init; }

    /// <summary>What is in the way, in words; null: nothing.</summary>
    public string? Problem { get; init; }
}
