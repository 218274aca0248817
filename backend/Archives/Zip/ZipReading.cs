using NzbDav.Archives.Layouts;
using NzbDav.Archives.Signatures;
using NzbDav.Archives.Split;
using NzbDav.Archives.Volumes;
using NzbDav.Content;

namespace NzbDav.Archives.Zip;

/// <summary>Finds the volumes of ZIP archives and lays them out. For one scan.</summary>
internal sealed class ZipReading(VolumeWindow[] windows)
{
    /// <summary>
    /// Reads the archive that begins with a file. Null for a ZIP that is not unpacked: a book, a document, or compressed files that are no
    /// film.
    /// </summary>
    /// <param name="first">Index of the file that begins as a ZIP.</param>
    /// <param name="known">The files that are in no layout yet.</param>
    /// <param name="free">Files without a layout; those of the archive are removed.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<ArchiveLayout?> ReadAsync(int first, List<int> known, HashSet<int> free, CancellationToken cancellationToken)
    {
        var layout = new ArchiveLayout { Format = ArchiveFormat.Zip, Volumes = [first] };
        try
        {
            // "8.5.3 … spanned/split archives … contain a special spanning signature": 'PK', 7, 8 at the beginning of the first part.
            var head = await windows[first].ReadAsync(0, ArchiveSignature.ShortLength, cancellationToken);
            var isSplit = head.Span.StartsWith("PK\x07\x08"u8);
            if (ZipArchive.IsDocument(head.Span))
                return null;
            if (isSplit)
                layout = layout with { Volumes = [.. VolumeSequences.Zip(windows, first, known)] };
            var read = await new ZipArchive(new VolumeJoin(windows, layout.Volumes)).ReadAsync(layout, cancellationToken);
            if (read is null && isSplit)
            {
                throw new ArchiveException(
                    ArchiveRefusalReason.MissingVolumes, $"ZIP volumes missing: the last part of '{windows[first].Name}' is not here.");
            }

            free.ExceptWith(read?.Volumes ?? []);
            var biggest = read?.Entries.MaxBy(static entry => entry.Size);
            var staysPacked = biggest?.Refusal?.Reason == ArchiveRefusalReason.Compressed && !ArchiveSignature.IsFilmName(biggest.Path);
            return biggest is null || staysPacked ? null : read;
        }
        catch (ArchiveException refused)
        {
            return layout with { Refusal = refused.Refusal };
        }
        catch (ContentException fault)
        {
            return layout with { Refusal = ArchiveRefusals.Of(fault, windows[first].Name) };
        }
    }
}
