using System.Collections.Frozen;

namespace NzbDav.Import.Names;

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
        return extension.Length == 4 && char.IsAsciiDigit(extension[2]) && char.IsAsciiDigit(extension[3]) && (char.IsAsciiDigit(extension[1]) || char.ToLowerInvariant(extension[1]) is >= 'r' and <= 'z')
            ? FileType.Archive
            : FileType.Unknown;
    }

    /// <summary>
    /// The type of a file by its bytes and its name. The bytes take precedence, except over the extension of a subtitle: DVD subtitles begin as a film does
    /// (VobSub: MPEG program streams).
    /// </summary>
    /// <param name="name">The file's name.</param>
    /// <param name="bytes">The type by its first bytes.</param>
    public static FileType Judge(string name, FileType bytes) => TypeOf(name) is var said && (bytes == FileType.Unknown || said == FileType.Subtitle) ? said : bytes;

    /// <summary>
    /// The name with the extension that its bytes call for, if its own extension is wrong: films are posted with the extensions of archives, documents, or
    /// parts of a file.
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
        return extension.Length is > 1 and <= 11 && extension.Length < name.Length && extension.AsSpan(1).IndexOfAnyExcept(LettersAndDigits) < 0 ? extension : "";
    }

    /// <summary>True for a known extension, or one that looks like those in use and not like a piece of a random name.</summary>
    public static bool IsUsual(string name)
    {
        var extension = Of(name);
        return Types.ContainsKey(extension) || TypeOf(name) != FileType.Unknown || (extension.Length is >= 2 and <= 5 && extension.AsSpan(1).ContainsAnyInRange('a', 'z'));
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
