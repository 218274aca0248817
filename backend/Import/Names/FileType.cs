using System.Buffers.Binary;
using System.Collections.Frozen;
using NzbDav.Archives.Signatures;

namespace NzbDav.Import.Names;

/// <summary>The type of a file, as far as imports need it.</summary>
public enum FileType
{
    /// <summary>Not recognised.</summary>
    Unknown,

    /// <summary>A film, an episode.</summary>
    Video,

    /// <summary>Music, speech.</summary>
    Audio,

    /// <summary>A picture.</summary>
    Image,

    /// <summary>Subtitles.</summary>
    Subtitle,

    /// <summary>A book, a comic.</summary>
    Document,

    /// <summary>Packed files: RAR, 7z, zip.</summary>
    Archive,

    /// <summary>Recovery data.</summary>
    Recovery,

    /// <summary>An image of a disc.</summary>
    Disc,
}

/// <summary>File types by extension. Used where a file's bytes do not show its type.</summary>
internal static class FileExtension
{
    private static readonly FrozenDictionary<string, FileType> Types = Make().ToFrozenDictionary(StringComparer.OrdinalIgnoreCase);

    /// <summary>The file type of a name's extension.</summary>
    public static FileType TypeOf(string name)
    {
        var extension = Of(name);
        if (Types.TryGetValue(extension, out var type))
            return type;

        // Volumes: .r00 … .z99, .001 …
        return extension.Length == 4 && char.IsAsciiDigit(extension[2]) && char.IsAsciiDigit(extension[3])
            && (char.IsAsciiDigit(extension[1]) || char.ToLowerInvariant(extension[1]) is >= 'r' and <= 'z')
            ? FileType.Archive
            : FileType.Unknown;
    }

    /// <summary>
    /// The type of a file by its bytes and its name. The bytes take precedence, except over the extension of a subtitle: DVD subtitles
    /// begin as a film does (VobSub: MPEG program streams).
    /// </summary>
    /// <param name="name">The file's name.</param>
    /// <param name="bytes">The type by its first bytes.</param>
    public static FileType Resolve(string name, FileType bytes) =>
        TypeOf(name) is var said && (bytes == FileType.Unknown || said == FileType.Subtitle) ? said : bytes;

    /// <summary>
    /// The name with the extension that fits its bytes, if its own extension is wrong: films are posted with the extensions of archives,
    /// documents, or parts of a file.
    /// </summary>
    /// <param name="name">The file's name.</param>
    /// <param name="type">The file's type.</param>
    /// <param name="extension">The extension for its bytes, with its dot; empty if they show no type.</param>
    public static string Correct(string name, FileType type, string extension)
    {
        if (extension.Length == 0)
            return name;
        var said = TypeOf(name);
        if (type is not (FileType.Video or FileType.Audio))
            return IsUsual(name) ? name : SafeName.WithSuffix(name, extension);
        if (said is FileType.Video or FileType.Audio or FileType.Subtitle)
            return name;
        var stem = said == FileType.Unknown ? name : name[..^Of(name).Length];
        return TypeOf(stem) is FileType.Video or FileType.Audio ? stem : SafeName.WithSuffix(stem, extension);
    }

    /// <summary>The extension with its dot, if it consists of 1 to 10 letters and digits; else empty.</summary>
    public static string Of(string name)
    {
        var extension = Path.GetExtension(name);
        return extension.Length is > 1 and <= 11 && extension.Length < name.Length
            && extension.AsSpan(1).IndexOfAnyExcept(LettersAndDigits) < 0 ? extension : "";
    }

    /// <summary>True for a known extension, or one that looks like a usual extension and not like a piece of a random name.</summary>
    public static bool IsUsual(string name)
    {
        var extension = Of(name);
        return Types.ContainsKey(extension) || TypeOf(name) != FileType.Unknown
            || (extension.Length is >= 2 and <= 5 && extension.AsSpan(1).ContainsAnyInRange('a', 'z'));
    }

    private static readonly System.Buffers.SearchValues<char> LettersAndDigits =
        System.Buffers.SearchValues.Create("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");

    private static Dictionary<string, FileType> Make()
    {
        var all = new Dictionary<string, FileType>(StringComparer.OrdinalIgnoreCase);
        Add(FileType.Video, "mkv mk3d mp4 m4v avi mov wmv asf mpg mpeg m2v ts m2ts mts vob webm flv f4v ogv divx xvid rm rmvb 3gp 3g2");
        Add(FileType.Video, "wtv dvr-ms evo tp trp ogm m2t m2p mpe mpv m1v qt mxf nsv");
        Add(FileType.Audio, "mp3 flac m4a m4b aac ac3 eac3 dts ogg oga opus wav wma ape alac aiff mka tta wv dsf dff");
        Add(FileType.Image, "jpg jpeg png gif bmp webp tif tiff heic avif");
        Add(FileType.Subtitle, "srt ass ssa sub idx sup vtt smi");
        Add(FileType.Document, "epub mobi azw azw3 pdf cbr cbz cb7 djvu fb2 lit txt nfo");
        Add(FileType.Archive, "rar 7z zip tar gz bz2 xz zst arj ace");
        Add(FileType.Recovery, "par2 par sfv");
        Add(FileType.Disc, "iso img bin nrg mdf udf");
        return all;

        void Add(FileType type, string extensions)
        {
            foreach (var extension in extensions.Split(' '))
                all["." + extension] = type;
        }
    }
}

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
    private static (FileType Type, string Extension) Brand(ReadOnlySpan<byte> head) =>
        head.Length < 12 || BinaryPrimitives.ReadUInt32BigEndian(head) < 8
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
        head[..Math.Min(head.Length, 128)].IndexOf("mimetypeapplication/epub+zip"u8) >= 0
            ? (FileType.Document, ".epub") : (FileType.Archive, ".zip");
}
