namespace NzbDav.Library.Export;

/// <summary>What a library shall hold, laid out. Immutable.</summary>
public sealed class PreparedExport
{
    internal PreparedExport(ExportPlan plan, IReadOnlyCollection<long> added) => (Plan, Added) = (plan, added);

    /// <summary>The files of the tree to which nothing of ours in the folder leads yet: whoever keeps account of links notes them before the links are there.</summary>
    public IReadOnlyCollection<long> Added { get; }

    internal ExportPlan Plan { get; }
}
