using System.Collections.Frozen;

namespace NzbDav.Import;

/// <summary>What extensions say of a file. Only where the bytes say nothing.</summary>
internal static class FileExtension
{
    private static readonly FrozenDictionary<string, FileType> Types = Make().ToFrozenDictionary(StringComparer.OrdinalIgnoreCase);

    /// <summary>The type that a name's extension stands for.</summary>
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

    /// <summary>The extension with its dot as far as it can be one: letters and digits, at most 10; else nothing.</summary>
    public static string Of(string name)
    {
        var extension = Path.GetExtension(name);
        return extension.Length is > 1 and <= 11 && extension.Length < name.Length && extension.AsSpan(1).IndexOfAnyExcept(LettersAndDigits) < 0 ? extension : "";
    }

    /// <summary>True for an extension that is known, or one that looks like those people use: not a piece of a random name.</summary>
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
        Add(FileType.Video, "mkv mk3d mp4 m4v avi mov wmv asf mpg mpeg m2v ts m2ts mts vob webm flv f4v ogv divx xvid rm rmvb 3gp 3g2 wtv dvr-ms strm evo tp trp");
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
