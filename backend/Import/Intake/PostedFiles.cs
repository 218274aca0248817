using System.Globalization;
using System.Xml;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Jobs;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import.Intake;

/// <summary>Lists the files in the .nzb of a job. Thread-safe.</summary>
public sealed class PostedFiles(BlobStore blobs)
{
    /// <summary>The first file begins within this many characters: only the few lines of the head precede it.</summary>
    private const int FirstFile = 256 << 10;

    /// <summary>The posted files in the order of the .nzb; empty if there is no .nzb or it cannot be read.</summary>
    public async Task<IReadOnlyList<PostedFileEntry>> ListAsync(CatalogJob job, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(job);
        if (job.Nzb is not { } hash)
            return [];
        await using var nzb = await blobs.OpenReadAsync(hash, cancellationToken);
        return await Task.Run(() => List(nzb, cancellationToken), cancellationToken);
    }

    /// <summary>When the first file of a job was posted, from the beginning of its .nzb; null if it does not say.</summary>
    public async Task<DateTimeOffset?> FirstPostedAsync(CatalogJob job, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(job);
        if (job.Nzb is not { } hash)
            return null;
        await using var nzb = await blobs.OpenReadAsync(hash, cancellationToken);
        using var xml = XmlReader.Create(
            nzb, new XmlReaderSettings
            { Async = true, DtdProcessing = DtdProcessing.Ignore, XmlResolver = null, MaxCharactersInDocument = FirstFile });
        try
        {
            // No ReadToFollowing: it would read on to the end of an .nzb without files.
            while (await xml.ReadAsync())
            {
                if (xml is { NodeType: XmlNodeType.Element, LocalName: "file" })
                    return long.TryParse(xml.GetAttribute("date"), NumberStyles.None, CultureInfo.InvariantCulture, out var date)
                        && date is > 0 and < int.MaxValue
                            ? DateTimeOffset.FromUnixTimeSeconds(date)
                            : null;
            }
        }
        catch (XmlException)
        {
            // Ignored here: the import reports what is wrong with it.
        }

        return null;
    }

    private static PostedFileEntry[] List(Stream nzb, CancellationToken cancellationToken)
    {
        var read = NzbReader.Read(nzb, options: null, cancellationToken);
        return read.Succeeded
            ? [.. read.Document.Files.Select(file => new PostedFileEntry(file.FileName ?? file.Subject, file.Bytes, file.Date))] : [];
    }
}

/// <summary>A file as an .nzb lists it.</summary>
/// <param name="Name">File name from its subject, or the subject.</param>
/// <param name="Bytes">Encoded size in bytes.</param>
/// <param name="Posted">When it was posted; 1970 if the .nzb does not say.</param>
public sealed record PostedFileEntry(string Name, long Bytes, DateTimeOffset Posted);
