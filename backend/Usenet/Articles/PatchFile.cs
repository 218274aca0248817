using System.Text;
using NzbDav.Content.Checksums;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Articles;

/// <summary>Format of a patch file: magic number, the article's ids and header, the length and CRC-32 of its bytes, the bytes.</summary>
internal static class PatchFile
{
    private const uint Magic = 0x3150444E; // "NDP1"
    private const int LongestText = 4096;

    /// <summary>Writes a file atomically: under a temporary name, renamed once it is on disk.</summary>
    /// <exception cref="IOException">The disk is full or broken; nothing is left behind.</exception>
    public static void Write(string path, ArticlePatch patch)
    {
        var unfinished = path + PatchFolder.Unfinished;
        try
        {
            using (var file = new FileStream(unfinished, FileMode.Create, FileAccess.Write, FileShare.None))
            {
                using (var writer = new BinaryWriter(file, Encoding.UTF8, leaveOpen: true))
                {
                    writer.Write(Magic);
                    writer.Write(patch.Ids);
                    writer.Write(patch.Header.Name);
                    writer.Write(patch.Header.FileSize);
                    writer.Write(patch.Header.Part);
                    writer.Write(patch.Header.TotalParts);
                    writer.Write(patch.Header.Begin);
                    writer.Write(patch.Bytes.Length);
                    writer.Write(Crc32.Append(0, patch.Bytes.Span));
                    writer.Write(patch.Bytes.Span);
                }

                file.Flush(flushToDisk: true);
            }

            File.Move(unfinished, path, overwrite: true);
        }
        catch
        {
            File.Delete(unfinished);
            throw;
        }
    }

    /// <summary>Reads a patch back.</summary>
    /// <param name="path">Its file.</param>
    /// <param name="ids">The article that it must belong to.</param>
    /// <param name="mostBytes">Longest patch to read.</param>
    /// <returns>Null if the file does not exist, is damaged or belongs to another article.</returns>
    public static ArticlePatch? TryRead(string path, string ids, int mostBytes)
    {
        try
        {
            using var file = File.OpenRead(path);
            using var reader = new BinaryReader(file, Encoding.UTF8);
            if (file.Length > mostBytes + (4L * LongestText) || reader.ReadUInt32() != Magic || reader.ReadString() != ids)
                return null;
            var (name, size, part, parts, begin, count, crc) = (reader.ReadString(), reader.ReadInt64(), reader.ReadInt32(),
                reader.ReadInt32(), reader.ReadInt64(), reader.ReadInt32(), reader.ReadUInt32());
            if (count <= 0 || count != file.Length - file.Position)
                return null;
            var bytes = reader.ReadBytes(count);
            return Crc32.Append(0, bytes) == crc
                ? new ArticlePatch(ids, new ArticleHeader(name, size, part, parts, begin, count), bytes) : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or FormatException or ArgumentException)
        {
            return null;
        }
    }
}

/// <summary>An article repaired from recovery data.</summary>
/// <param name="Ids">Its ids as a segment stores them (<see cref="Nzb.ArticleIds"/>).</param>
/// <param name="Header">The header that the original would have.</param>
/// <param name="Bytes">Its decoded bytes, as many as the header says.</param>
public sealed record ArticlePatch(string Ids, ArticleHeader Header, ReadOnlyMemory<byte> Bytes);
