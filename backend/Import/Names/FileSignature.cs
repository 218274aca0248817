using System.Buffers.Binary;
using NzbDav.Archives.Signatures;

namespace NzbDav.Import.Names;

/// <summary>The type of a file by its first bytes, as far as imports need it. Names in posts are often wrong or meaningless.</summary>
internal static class FileSignature
{
    /// <summary>The type, and the usual extension with its dot; empty if the type is unknown.</summary>
    /// <param name="head">The file's bytes from offset 0; a kilobyte is enough.</param>
    public static (FileType Type, string Extension) Of(ReadOnlySpan<byte> head) => ArchiveSignature.Detect(head) switch
    {
        // WebM is Matroska with another DocType (RFC 9559 §4.4).
        FileKind.Matroska => (FileType.Video, head[..Math.Min(head.Length, 64)].IndexOf("webm"u8) >= 0 ? ".webm" : ".mkv"),
        FileKind.Mp4 => Brand(head),
        FileKind.Avi => (FileType.Video, ".avi"),
        FileKind.MpegTs => (FileType.Video, head[0] == 0x47 ? ".ts" : ".m2ts"),
        FileKind.MpegPs => (FileType.Video, ".mpg"),
        FileKind.Asf => (FileType.Video, ".wmv"),
        FileKind.Flv => (FileType.Video, ".flv"),
        FileKind.Ogg => (FileType.Audio, ".ogg"),
        FileKind.Flac => (FileType.Audio, ".flac"),
        FileKind.Mp3 => (FileType.Audio, ".mp3"),
        FileKind.Wave => (FileType.Audio, ".wav"),
        FileKind.Jpeg => (FileType.Image, ".jpg"),
        FileKind.Png => (FileType.Image, ".png"),
        FileKind.Pdf => (FileType.Document, ".pdf"),
        FileKind.Par2 => (FileType.Recovery, ".par2"),
        FileKind.Rar4 or FileKind.Rar5 => (FileType.Archive, ".rar"),
        FileKind.SevenZip => (FileType.Archive, ".7z"),
        FileKind.Zip => Zip(head),
        FileKind.Iso9660 or FileKind.Udf => (FileType.Disc, ".iso"),
        _ => (FileType.Unknown, ""),
    };

    // ISO/IEC 14496-12 §4.3: a size, 'ftyp', the major brand.
    private static (FileType Type, string Extension) Brand(ReadOnlySpan<byte> head) => head.Length < 12 || BinaryPrimitives.ReadUInt32BigEndian(head) < 8
        ? (FileType.Unknown, "")
        : head.Slice(8, 4) switch
        {
            [(byte)'M', (byte)'4', (byte)'A' or (byte)'B', ..] => (FileType.Audio, ".m4a"),
            [(byte)'q', (byte)'t', ..] => (FileType.Video, ".mov"),
            [(byte)'h', (byte)'e', (byte)'i', ..] or [(byte)'a', (byte)'v', (byte)'i', (byte)'f'] => (FileType.Image, ".heic"),
            [(byte)'c', (byte)'r', (byte)'x', ..] => (FileType.Image, ".cr3"),
            _ => (FileType.Video, ".mp4"),
        };

    // OCF 3.2 §4.3: the first entry of an EPUB is called 'mimetype' and is stored.
    private static (FileType Type, string Extension) Zip(ReadOnlySpan<byte> head) =>
        head[..Math.Min(head.Length, 128)].IndexOf("mimetypeapplication/epub+zip"u8) >= 0 ? (FileType.Document, ".epub") : (FileType.Archive, ".zip");
}
