using NzbDav.Archives.Layouts;

namespace NzbDav.Archives.Rar;

/// <summary>
/// Computes the layout of a regular set's middle volumes: one file runs through volumes of equal size, whose headers differ only in their
/// numbers. The layout is accepted if the pieces add up to the file's size; readers verify each header later.
/// </summary>
internal static class RarInference
{
    /// <summary>
    /// Lays out all volumes of a set of which only the first two and the last were read. Null if their headers do not determine the others,
    /// or if the pieces do not add up.
    /// </summary>
    /// <param name="files">The whole set in order: index into the list of files, name, length.</param>
    /// <param name="first">The first volume, as read.</param>
    /// <param name="second">The second volume, as read.</param>
    /// <param name="last">The last volume, as read.</param>
    public static List<RarVolume>? TryLayOut(
        IReadOnlyList<(int Index, string Name, long Length)> files, RarVolume first, RarVolume second, RarVolume last)
    {
        // Encrypted headers are not inferred: without the password, nothing could check them later.
        if (first.EncryptedHeaders || !first.SplitAfter || second.Files.Count != 1 || !second.SplitBefore || !second.SplitAfter
            || !last.SplitBefore || last.Continues == true)
            return null;
        var (begun, middle, ended) = (first.Files[^1], second.Files[0], last.Files[0]);
        if (!IsSame(begun, middle) || !IsSame(middle, ended) || begun.Size is not { } size
            || (last.Number ?? files.Count - 1) != files.Count - 1)
            return null;
        var tail = second.Length - middle.DataOffset - middle.PackedSize;
        var volumes = new List<RarVolume>(files.Count) { first, second };
        var total = begun.PackedSize + middle.PackedSize;
        for (var i = 2; i < files.Count - 1; i++)
        {
            var (index, name, length) = files[i];

            // The number is a vint, which takes one more byte from volume 128 on.
            var more = first.Format == ArchiveFormat.Rar5 ? VintLength(i) - VintLength(1) : 0;
            var packed = length - middle.DataOffset - more - tail;
            if (packed <= 0)
                return null;
            total += packed;
            var volume = new RarVolume
            {
                Index = index,
                Name = name,
                Length = length,
                Format = first.Format,
                IsVolume = true,
                Number = first.Format == ArchiveFormat.Rar5 ? i : null,
                IsFirst = second.IsFirst,
            };
            volume.Files.Add(middle with { DataOffset = middle.DataOffset + more, PackedSize = packed, Crc32 = null, Blake2 = default });
            volumes.Add(volume);
        }

        total += ended.PackedSize;
        volumes.Add(last);
        return total == (begun.Encryption is null ? size : (size + 15) / 16 * 16) ? volumes : null;
    }

    private static bool IsSame(RarFile a, RarFile b) =>
        string.Equals(a.Path, b.Path, StringComparison.Ordinal) && a.Size == b.Size && a.Method == b.Method
            && a.Encryption is null == b.Encryption is null
        && a.Method == 0;

    private static int VintLength(int value) => value < 1 << 7 ? 1 : value < 1 << 14 ? 2 : 3;
}
