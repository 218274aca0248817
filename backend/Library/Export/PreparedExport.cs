namespace NzbDav.Library.Export;

/// <summary>The planned contents of a library. Immutable.</summary>
public sealed class PreparedExport
{
    internal PreparedExport(ExportPlan plan, IReadOnlyCollection<long> added) => (Plan, Added) = (plan, added);

    /// <summary>The files of the tree that the folder does not link to yet. Callers that track links record them before the links exist.</summary>
    public IReadOnlyCollection<long> Added { get; }

    internal ExportPlan Plan { get; }
}
