namespace NzbDav.Archives.Signatures;

/// <summary>Kind of a file by its first bytes.</summary>
public enum FileKind
{
    /// <summary>No known signature: text, a later part of a file, encrypted or compressed bytes.</summary>
    Unknown,

    /// <summary>RAR 1.5 to 4.x.</summary>
    Rar4,

    /// <summary>RAR 5.0 and later.</summary>
    Rar5,

    /// <summary>7z.</summary>
    SevenZip,

    /// <summary>ZIP.</summary>
    Zip,

    /// <summary>gzip.</summary>
    Gzip,

    /// <summary>bzip2.</summary>
    Bzip2,

    /// <summary>xz.</summary>
    Xz,

    /// <summary>ISO 9660 image (may also have UDF).</summary>
    Iso9660,

    /// <summary>UDF image without ISO 9660.</summary>
    Udf,

    /// <summary>Matroska or WebM (EBML).</summary>
    Matroska,

    /// <summary>MP4, QuickTime and related formats (ISO base media).</summary>
    Mp4,

    /// <summary>AVI.</summary>
    Avi,

    /// <summary>MPEG transport stream, with packets of 188 or (Blu-ray) 192 bytes.</summary>
    MpegTs,

    /// <summary>MPEG program stream (VOB).</summary>
    MpegPs,

    /// <summary>Windows Media (ASF).</summary>
    Asf,

    /// <summary>Flash video.</summary>
    Flv,

    /// <summary>Ogg.</summary>
    Ogg,

    /// <summary>FLAC.</summary>
    Flac,

    /// <summary>MP3 with an ID3 tag at its beginning.</summary>
    Mp3,

    /// <summary>WAVE.</summary>
    Wave,

    /// <summary>JPEG.</summary>
    Jpeg,

    /// <summary>PNG.</summary>
    Png,

    /// <summary>PDF.</summary>
    Pdf,

    /// <summary>PAR2 recovery data.</summary>
    Par2,

    /// <summary>An NZB.</summary>
    Nzb,

    /// <summary>Other XML.</summary>
    Xml,

    /// <summary>A program for Windows or Linux; may be a self-extracting archive.</summary>
    Program,
}
