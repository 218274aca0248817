using System.IO.Compression;
using NzbDav.Catalog.Database;
using SharpCompress.Common;
using SharpCompress.Compressors.BZip2;

namespace NzbDav.Import.Intake;

/// <summary>
/// Unpacks an .nzb from gzip, bzip2 or zip, as indexers and posters send them. The first bytes determine the format, never the name.
/// </summary>
internal static class NzbPackage
{
    /// <summary>Most .nzb files that one zip may hold.</summary>
    private const int MostFiles = 100;

    /// <summary>
    /// Most bytes of a zip's directory. An entry has 46 bytes and its name, so this is room for about ten thousand. Every entry takes
    /// some 400 bytes of memory, whether it is an .nzb or an empty folder, and a zip of a few megabytes can list a hundred thousand.
    /// </summary>
    private const int MostDirectory = 1 << 20;

    /// <param name="file">Seekable; a plain file is returned as it is.</param>
    /// <param name="maxBytes">Most bytes to unpack altogether: the limit for zip bombs.</param>
    /// <param name="spool">Creates an empty file that is deleted when it is closed.</param>
    public static UnpackedNzb Unpack(FileStream file, long maxBytes, Func<FileStream> spool)
    {
        Span<byte> head = stackalloc byte[4];
        file.Position = 0;
        head = head[..file.ReadAtLeast(head, head.Length, throwOnEndOfStream: false)];
        file.Position = 0;
        try
        {
            return head switch
            {
                [0x1F, 0x8B, ..] => Single(new GZipStream(file, CompressionMode.Decompress, leaveOpen: true), maxBytes, spool),
                [(byte)'B', (byte)'Z', (byte)'h', >= (byte)'1' and <= (byte)'9'] => Single(Bzip(file), maxBytes, spool),
                [(byte)'P', (byte)'K', 3, 4] => Zip(file, maxBytes, spool),
                _ => new UnpackedNzb([(null, new Borrowed(file, long.MaxValue))], Error: null),
            };
        }
        catch (Exception e) when (e is InvalidDataException or SharpCompressException or IndexOutOfRangeException)
        {
            // In damaged bzip2, some codes are caught only by the bounds of the decoder's arrays.
            var reason = e is IndexOutOfRangeException ? "it holds a code that bzip2 does not write." : e.Message;
            return new UnpackedNzb([], $"The file that the .nzb is packed in is damaged: {reason}");
        }
    }

    /// <summary>Several streams one after the other, as pbzip2 writes them, are one file.</summary>
    private static BZip2Stream Bzip(FileStream file) =>
        BZip2Stream.Create(file, SharpCompress.Compressors.CompressionMode.Decompress, decompressConcatenated: true, leaveOpen: true);

    private static UnpackedNzb Single(Stream packed, long maxBytes, Func<FileStream> spool)
    {
        using (packed)
        {
            FileStream? target = spool();
            try
            {
                if (!TryCopy(packed, target, ref maxBytes))
                    return new UnpackedNzb([], "It is too large.", TooLarge: true);
                var unpacked = new UnpackedNzb([(null, target)], Error: null);
                target = null;
                return unpacked;
            }
            finally
            {
                target?.Dispose();
            }
        }
    }

    private static UnpackedNzb Zip(FileStream file, long maxBytes, Func<FileStream> spool)
    {
        // Until the entries are known, only the end record (with a comment of at most 64 KiB) and the directory are read. This bounds the
        // bytes read, whatever the end record says.
        var bounded = new Borrowed(file, MostDirectory + (128 << 10));
        using var zip = new ZipArchive(bounded, ZipArchiveMode.Read, leaveOpen: true);
        if (!TryReadDirectory(zip, bounded))
        {
            var most = MostDirectory >> 20;
            return new UnpackedNzb([], $"The zip lists more files than are allowed: its directory is longer than {most} MiB.");
        }

        var parts = new List<(string? Name, Stream Stream)>();
        var good = false;
        try
        {
            foreach (var entry in zip.Entries.Where(entry => entry.Name.EndsWith(".nzb", StringComparison.OrdinalIgnoreCase)))
            {
                if (parts.Count == MostFiles)
                    return new UnpackedNzb([], $"The zip holds more than the {MostFiles} .nzb files that are allowed.");
                if (entry.IsEncrypted)
                    return new UnpackedNzb([], $"{entry.Name} in the zip is encrypted: unpack it first.");
                var target = spool();
                parts.Add((entry.Name, target));
                using var stream = entry.Open();
                if (!TryCopy(stream, target, ref maxBytes))
                    return new UnpackedNzb([], "It is too large.", TooLarge: true);
            }

            good = parts.Count > 0;
            return good ? new UnpackedNzb(parts, Error: null) : new UnpackedNzb([], "There is no .nzb in the zip.");
        }
        finally
        {
            if (!good)
                parts.ForEach(static part => part.Stream.Dispose());
        }
    }

    private static bool TryReadDirectory(ZipArchive zip, Borrowed bounded)
    {
        try
        {
            _ = zip.Entries;
            bounded.Left = long.MaxValue;
            return true;
        }
        catch (InvalidDataException) when (bounded.Left <= 0)
        {
            return false;
        }
    }

    private static bool TryCopy(Stream source, FileStream target, ref long room)
    {
        var buffer = new byte[128 << 10];
        int read;
        while ((read = source.ReadAtLeast(buffer, buffer.Length, throwOnEndOfStream: false)) > 0)
        {
            room -= read;
            if (room < 0)
                return false;
            try
            {
                target.Write(buffer, 0, read);
            }
            catch (Exception e) when (FileFaults.IsFault(e))
            {
                throw FileFaults.WhileWriting(e, target.Name);
            }
        }

        return true;
    }

    /// <summary>The upload itself. Disposal does not close it: the caller owns the file.</summary>
    /// <param name="file">The upload.</param>
    /// <param name="left">Most bytes to read from it.</param>
    private sealed class Borrowed(FileStream file, long left) : Stream
    {
        public override bool CanRead => true;

        public override bool CanSeek => true;

        public override bool CanWrite => false;

        public override long Length => file.Length;

        public override long Position
        {
            get => file.Position;
            set => file.Position = value;
        }

        /// <summary>Bytes that may still be read; below 0 after more were requested.</summary>
        public long Left { get; set; } = left;

        /// <exception cref="InvalidDataException">More is read than is allowed.</exception>
        public override int Read(Span<byte> buffer) => Count(file.Read(buffer));

        public override int Read(byte[] buffer, int offset, int count) => Count(file.Read(buffer, offset, count));

        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
            Count(await file.ReadAsync(buffer, cancellationToken));

        public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
            ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

        public override long Seek(long offset, SeekOrigin origin) => file.Seek(offset, origin);

        public override void Flush()
        {
        }

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        private int Count(int read)
        {
            Left -= read;
            return Left > 0 ? read : throw new InvalidDataException("it is longer than allowed.");
        }
    }
}

/// <summary>The content of an uploaded file: one or more .nzb files, or why there is none.</summary>
/// <param name="Parts">Each with the name it had inside a zip (null: that of the upload) and its bytes; the caller disposes the
/// streams.</param>
/// <param name="Error">What is wrong, as a sentence; null on success.</param>
/// <param name="TooLarge">True if the unpacked content is too large.</param>
internal sealed record UnpackedNzb(IReadOnlyList<(string? Name, Stream Stream)> Parts, string? Error, bool TooLarge = false);
