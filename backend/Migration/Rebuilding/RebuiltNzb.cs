namespace NzbDav.Migration.Rebuilding;

/// <summary>Rebuilds the .nzb of a release from the message-ids that another program kept of its files.</summary>
internal static class RebuiltNzb
{
    /// <summary>Bytes of a 7z signature header: the bytes of the first file follow it.</summary>
    private const int SevenZipHead = 32;

    /// <summary>Rebuilds the .nzb.</summary>
    /// <param name="files">All files of the release, with the names that they have in the library.</param>
    /// <param name="password">A known password; null: use that of the layouts.</param>
    /// <returns>The .nzb, or why it cannot be built.</returns>
    public static (byte[]? Nzb, string? Refusal) Of(IReadOnlyList<(string Name, FileLayout Layout)> files, string? password)
    {
        if (files.Count == 0)
            return (null, "The other program holds no file of it.");
        password ??= files.Select(file => file.Layout.Password).FirstOrDefault(known => known is not null);
        if (files.FirstOrDefault(file => file.Layout.IsPartial) is { Name: { } partial })
            return (null, $"Its .nzb is not there, and the other program has not examined all volumes of '{partial}' yet.");
        if (password is null && files.FirstOrDefault(file => file.Layout.IsEncrypted) is { Name: { } locked })
            return (null,
                $"Its .nzb is not there, and the archive of '{locked}' is encrypted with a password that the other program did not keep. " +
                $"Import its .nzb with the password.");
        var posted = new List<(string Name, PostPart Part)>();
        foreach (var (name, layout) in files.Where(file => file.Layout.IsPlain))
            posted.Add((name, layout.Parts[0]));
        foreach (var set in VolumeSets.Of([.. files.Where(file => !file.Layout.IsPlain)]))
            posted.AddRange(set.Volumes.Select((volume, index) => (NameOf(set, index), volume)));
        using var text = new NzbText(password);
        for (var i = 0; i < posted.Count; i++)
            text.Add(posted[i].Name, i + 1, posted.Count, posted[i].Part.Size, posted[i].Part.Articles);
        return (text.Finish(), null);
    }

    /// <summary>
    /// Names that show the kind of the volumes. In RAR volumes a header precedes the bytes of each volume; a 7z archive has one of 32 bytes
    /// before all of them; a split file has none.
    /// </summary>
    private static string NameOf(VolumeSet set, int index)
    {
        var stem = Path.GetFileNameWithoutExtension(set.Name);
        if (set.Layout.Parts.All(part => part.Start == 0 && part.End == part.Size))
            return $"{set.Name}.{index + 1:d3}";
        if (set.Layout.Parts[0].Start == SevenZipHead)
            return set.Volumes.Count == 1 ? $"{stem}.7z" : $"{stem}.7z.{index + 1:d3}";
        return set.Volumes.Count == 1 ? $"{stem}.rar" : $"{stem}.part{index + 1:d3}.rar";
    }
}
