using System.Formats.Tar;
using System.IO.Compression;

namespace NzbDav.Catalog;

/// <summary>A complete backup as <c>.tar.zst</c>: one file to carry away, written and read from its beginning to its end. Holds what the .zip holds, the blobs and the articles that were made again.</summary>
internal static class BackupArchive
{
    /// <summary>How such files are told from the others.</summary>
    public const string Suffix = ".tar.zst";

    /// <summary>Nearly all of it is compressed already: higher levels cost time and save less than 1 %.</summary>
    private const int Level = 1;

    private const UnixFileMode Private = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>The name of a blob: where it stands in a configuration folder, so that <c>tar --zstd -x</c> puts a backup back, too.</summary>
    public static string NameOf(BlobHash hash)
    {
        var digits = hash.ToString();
        return $"{CatalogBackup.BlobPrefix}{digits[..2]}/{digits[2..4]}/{digits}";
    }

    /// <summary>True if a file begins as zstd does.</summary>
    public static bool IsOne(string path)
    {
        // https://datatracker.ietf.org/doc/html/rfc8878#section-3.1.1
        Span<byte> magic = stackalloc byte[4];
        using var file = File.OpenRead(path);
        return file.ReadAtLeast(magic, magic.Length, throwOnEndOfStream: false) == magic.Length && magic.SequenceEqual((ReadOnlySpan<byte>)[0x28, 0xB5, 0x2F, 0xFD]);
    }

    /// <summary>Writes one.</summary>
    /// <param name="zip">The backup without its blobs.</param>
    /// <param name="beside">Names of what else belongs to it, each with its file; one that is not there is left out.</param>
    /// <param name="target">Written from its beginning to its end.</param>
    /// <param name="cancellationToken">Gives up.</param>
    public static void Write(ZipArchive zip, IEnumerable<(string Name, string Path)> beside, Stream target, CancellationToken cancellationToken)
    {
        if (!Zstandard.IsAvailable)
            throw new CatalogException(CatalogFault.Storage, "A .tar.zst needs libzstd, which is not installed: install the package libzstd1 (Debian) or zstd.");
        using var compressed = new ZstandardWriteStream(target, Level, length: null);
        using var buffer = new BufferedStream(compressed, 256 << 10);
        using (var tar = new TarWriter(buffer, TarEntryFormat.Ustar, leaveOpen: true))
        {
            foreach (var entry in zip.Entries)
            {
                cancellationToken.ThrowIfCancellationRequested();

                // A tar tells the length first, and a zip can be read once only: the database may be large.
                using var from = entry.Open();
                tar.WriteEntry(new UstarTarEntry(TarEntryType.RegularFile, entry.FullName) { Mode = Private, DataStream = new KnownLengthStream(from, entry.Length), ModificationTime = entry.LastWriteTime });
            }

            foreach (var (name, path) in beside)
            {
                cancellationToken.ThrowIfCancellationRequested();
                try
                {
                    using var from = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0, FileOptions.SequentialScan);
                    tar.WriteEntry(new UstarTarEntry(TarEntryType.RegularFile, name) { Mode = Private, DataStream = from });
                }
                catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
                {
                    // Damage from before, which the manifest tells of.
                }
            }
        }

        buffer.Flush();
        compressed.Complete();
    }

    /// <summary>Writes what is in one to the disk. Several workers write; nothing is synced.</summary>
    /// <param name="source">The file, from its beginning.</param>
    /// <param name="place">Where something of that name goes; null: no backup holds that.</param>
    /// <param name="cancellationToken">Gives up; what was written is left.</param>
    /// <exception cref="InvalidDataException">It is damaged, is cut off, or holds a name that does not belong there.</exception>
    public static void Extract(Stream source, Func<string, string?> place, CancellationToken cancellationToken)
    {
        using var decompressed = new ZstandardReadStream(source);
        using var buffered = new BufferedStream(decompressed, 256 << 10);
        try
        {
            using var writer = new ExtractedFiles(cancellationToken);
            using var tar = new TarReader(buffered, leaveOpen: true);
            while (tar.GetNextEntry() is { } entry)
            {
                var path = entry.EntryType is TarEntryType.RegularFile or TarEntryType.V7RegularFile ? place(entry.Name) : null;
                writer.Add(path ?? throw new InvalidDataException($"it holds {entry.Name}, which is in no backup"), entry.DataStream ?? Stream.Null, entry.Length);
            }

            writer.Complete();
        }
        catch (EndOfStreamException e)
        {
            throw new InvalidDataException("it ends early", e);
        }

        // The checksum of the whole stands behind the last entry.
        Span<byte> rest = stackalloc byte[4096];
        while (buffered.Read(rest) > 0)
        {
        }
    }
}
