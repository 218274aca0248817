namespace NzbDav.Usenet.Nzb;

/// <summary>
/// Joins <c>file</c> elements that hold one article each and whose subjects name the parts of one file: <c>"name.mkv" yEnc (3/40)</c>. Search engines that do not collect parts write such
/// NZBs.
/// </summary>
internal static class NzbPartFiles
{
    /// <returns>The files in the order of the first part of each; files that are no parts stay unchanged.</returns>
    public static List<NzbFile> Join(List<NzbFile> files)
    {
        var parts = files.Where(IsPart).GroupBy(file => (file.FileName!, file.SubjectParts.PartCount, file.SubjectParts.File, file.SubjectParts.FileCount, file.Poster))
            .Select(group => group.ToArray())
            .Where(group => group.Length > 1 && group.DistinctBy(file => file.SubjectParts.Part).Count() == group.Length)
            .ToDictionary(group => group[0]);
        if (parts.Count == 0)
            return files;

        // Where a number occurs twice, several files share the subject, and nothing tells which article belongs to which.
        var others = parts.Values.SelectMany(group => group.Skip(1)).ToHashSet();
        return
        [
            .. files.Where(file => !others.Contains(file))
                .Select(file => parts.TryGetValue(file, out var group) ? NzbFile.OfParts(group.Select(part => (part.SubjectParts.Part!.Value, part))) : file),
        ];
    }

    private static bool IsPart(NzbFile file) =>
        file is { Segments.Length: 1, FileName: not null, SubjectParts: { Part: > 0 and var part, PartCount: > 1 and var count } } && part <= count;
}
