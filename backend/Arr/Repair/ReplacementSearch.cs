namespace NzbDav.Arr.Repair;

/// <summary>A search for a replacement of a file, which stays in place until then.</summary>
/// <param name="Instance">The instance's name.</param>
/// <param name="FileId">The application's id of the old file.</param>
/// <param name="OwnerId">The series, film or artist.</param>
/// <param name="SearchIds">The episodes, films or albums that were searched for.</param>
public sealed record ReplacementSearch(string Instance, int FileId, int OwnerId, IReadOnlyList<int> SearchIds);
