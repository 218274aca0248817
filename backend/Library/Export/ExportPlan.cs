namespace NzbDav.Library.Export;

/// <summary>The expected contents of a library.</summary>
/// <param name="Root">The export's folder.</param>
/// <param name="Folders">All folders that hold something, each behind the one above it, without the root.</param>
/// <param name="LeftOut">Files of the tree that have no place in it: neither videos nor music, where only these are exported.</param>
/// <param name="TooLong">Files whose paths no system can open.</param>
internal sealed record ExportPlan(ExportFolder Root, IReadOnlyList<ExportFolder> Folders, int LeftOut, IReadOnlyList<string> TooLong)
{
    /// <summary>Everything in it.</summary>
    public IEnumerable<ExportEntry> Entries => Folders.Prepend(Root).SelectMany(static folder => folder.Entries);
}
