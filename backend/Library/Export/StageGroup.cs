namespace NzbDav.Library.Export;

/// <summary>What one worker writes at a time: the files of one folder.</summary>
/// <param name="Folder">Where, below the stage; null: each has a place of its own there.</param>
/// <param name="MakesFolder">The worker makes the folder; else it is there.</param>
internal sealed record StageGroup(string? Folder, bool MakesFolder)
{
    /// <summary>Each with its path below the export's folder.</summary>
    public List<(PlannedWrite Write, string Path)> Writes { get; } = [];
}
