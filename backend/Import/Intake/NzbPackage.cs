using System.IO.Compression;
using NzbDav.Catalog.Database;

namespace NzbDav.Import.Intake;

/// <summary>Unpacks an .nzb from gzip, bzip2 or zip, as indexers and posters send them. Formats are recognised by the first bytes, never by the name.</summary>
internal static class NzbPackage
{
    /// <summary>Most .nzb files that one zip may hold.</summary>
    private const int MostFiles = 100;

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
                [(byte)'B', (byte)'Z', (byte)'h', >= (byte)'1' and <= (byte)'9'] => Single(new BzipStream(file), maxBytes, spool),
                [(byte)'P', (byte)'K', 3, 4] => Zip(file, maxBytes, spool),
                _ => new UnpackedNzb([(null, new Borrowed(file))], Error: null),
            };
        }
        catch (InvalidDataException e)
        {
            return new UnpackedNzb([], $"The file that the .nzb is packed in is damaged: {e.Message}");
        }
    }

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
        using var zip = new ZipArchive(file, ZipArchiveMode.Read, leaveOpen: true);
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

    /// <summary>The upload itself. Disposal does not close it: the file belongs to the caller.</summary>
    private sealed class Borrowed(FileStream file) : Stream
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

        public override int Read(Span<byte> buffer) => file.Read(buffer);

        public override int Read(byte[] buffer, int offset, int count) => file.Read(buffer, offset, count);

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => file.ReadAsync(buffer, cancellationToken);

        public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) => file.ReadAsync(buffer, offset, count, cancellationToken);

        public override long Seek(long offset, SeekOrigin origin) => file.Seek(offset, origin);

        public override void Flush()
        {
        }

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }
}
