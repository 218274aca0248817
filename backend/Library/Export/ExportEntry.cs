namespace NzbDav.Library.Export;

/// <summary>One small file that the library must contain. Immutable.</summary>
/// <param name="Id">The file in the tree.</param>
/// <param name="Form">What it is.</param>
/// <param name="Path">Where it goes: below the export's folder, parts joined with '/'.</param>
/// <param name="Name">The name of the file in the tree.</param>
/// <param name="Parent">The path of its collection in the tree, joined with '/'.</param>
/// <param name="CreatedTicks">When the file came into the tree, in ticks of UTC.</param>
internal sealed record ExportEntry(long Id, ExportForm Form, string Path, string Name, string Parent, long CreatedTicks)
{
    /// <summary>Where its name begins in <see cref="Path"/>.</summary>
    public string FileName => Path[(Path.LastIndexOf('/') + 1)..];
}
