using System.Formats.Tar;
using System.IO.Compression;
using NzbDav.Catalog.Blobs;

namespace NzbDav.Catalog.Backup;

/// <summary>
/// A complete backup as <c>.tar.zst</c>: a single portable file, written and read sequentially. Holds the contents of the .zip, the blobs
/// and the reconstructed articles.
/// </summary>
internal static class BackupArchive
{
    /// <summary>The file name suffix of such archives.</summary>
    public const string Suffix = ".tar.zst";

    /// <summary>The zstd level. Nearly all content is already compressed: higher levels cost time and save less than 1 %.</summary>
    private const int Level = 1;

    private const UnixFileMode Private = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>
    /// The entry name of a blob: its path in a configuration folder, so that <c>tar --zstd -x</c> also restores a backup.
    /// </summary>
    public static string NameOf(BlobHash hash)
    {
        var digits = hash.ToString();
        return $"{CatalogBackup.BlobPrefix}{digits[..2]}/{digits[2..4]}/{digits}";
    }

    /// <summary>True if a file starts with the magic number of zstd.</summary>
    public static bool IsOne(string path)
    {
        // https://datatracker.ietf.org/doc/html/rfc8878#section-3.1.1
        Span<byte> magic = stackalloc byte[4];
        using var file = File.OpenRead(path);
        return file.ReadAtLeast(magic, magic.Length, throwOnEndOfStream: false) == magic.Length
            && magic.SequenceEqual((ReadOnlySpan<byte>)[0x28, 0xB5, 0x2F, 0xFD]);
    }

    /// <summary>Writes an archive.</summary>
    /// <param name="zip">The backup without its blobs.</param>
    /// <param name="beside">Other files that belong to it, with their entry names; missing files are skipped.</param>
    /// <param name="target">Written sequentially.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public static void Write(
        ZipArchive zip, IEnumerable<(string Name, string Path)> beside, Stream target, CancellationToken cancellationToken)
    {
        using var compressed = new ZstandardWriteStream(target, Level, length: null);
        using var buffer = new BufferedStream(compressed, 256 << 10);
        using (var tar = new TarWriter(buffer, TarEntryFormat.Ustar, leaveOpen: true))
        {
            foreach (var entry in zip.Entries)
            {
                cancellationToken.ThrowIfCancellationRequested();

                // A tar entry starts with its length, and a zip entry can be read only once. The database may be large.
                using var from = entry.Open();
                tar.WriteEntry(new UstarTarEntry(TarEntryType.RegularFile, entry.FullName)
                { Mode = Private, DataStream = new KnownLengthStream(from, entry.Length), ModificationTime = entry.LastWriteTime });
            }

            foreach (var (name, path) in beside)
            {
                cancellationToken.ThrowIfCancellationRequested();
                try
                {
                    using var from = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete,
                        bufferSize: 0, FileOptions.SequentialScan);
                    tar.WriteEntry(new UstarTarEntry(TarEntryType.RegularFile, name) { Mode = Private, DataStream = from });
                }
                catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
                {
                    // Already missing when the backup was made; the manifest counts such blobs.
                }
            }
        }

        buffer.Flush();
        compressed.Complete();
    }

    /// <summary>Extracts an archive to disk with several workers. Does not sync.</summary>
    /// <param name="source">The file, from its beginning.</param>
    /// <param name="place">Returns the target path of an entry name; null if no backup holds such an entry.</param>
    /// <param name="cancellationToken">Cancels the operation; files already written stay.</param>
    /// <exception cref="InvalidDataException">The archive is damaged or truncated, or holds an unexpected name.</exception>
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
                writer.Add(path ?? throw new InvalidDataException($"it holds {entry.Name}, which does not belong in a backup"),
                    entry.DataStream ?? Stream.Null, entry.Length);
            }

            writer.Complete();
        }
        catch (EndOfStreamException e)
        {
            throw new InvalidDataException("it ends early", e);
        }

        // The checksum of the whole stream follows the last entry.
        Span<byte> rest = stackalloc byte[4096];
        while (buffered.Read(rest) > 0)
        {
        }
    }
}

/// <summary>A forward-only stream with a known length, for writers that need the length first.</summary>
/// <param name="source">Read sequentially.</param>
/// <param name="length">Number of bytes in it.</param>
internal sealed class KnownLengthStream(Stream source, long length) : Stream
{
    private long _read;

    public override bool CanRead => true;

    public override bool CanSeek => true;

    public override bool CanWrite => false;

    public override long Length => length;

    /// <summary>Bytes read so far. Cannot be set.</summary>
    public override long Position
    {
        get => _read;
        set
        {
            if (value != _read)
                throw new NotSupportedException();
        }
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override int Read(Span<byte> buffer)
    {
        var count = source.Read(buffer);
        _read += count;
        return count;
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void Flush()
    {
    }

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
