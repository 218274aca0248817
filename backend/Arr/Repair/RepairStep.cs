namespace NzbDav.Arr.Repair;

/// <summary>Progress of the repair of one file.</summary>
/// <param name="FileId">The application's id of the file.</param>
/// <param name="GrabId">History row to mark as failed; null to search instead.</param>
/// <param name="SearchIds">Episodes, films or albums to search for.</param>
/// <param name="Deleted">True once the file is deleted.</param>
/// <param name="Marked">True once the grab is marked as failed.</param>
internal sealed record RepairStep(int FileId, int? GrabId, IReadOnlyList<int> SearchIds, bool Deleted, bool Marked);
