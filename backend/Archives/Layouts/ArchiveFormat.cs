namespace NzbDav.Archives.Layouts;

/// <summary>Format of a set of files.</summary>
public enum ArchiveFormat
{
    /// <summary>RAR 1.5 to 4.x (signature 1.5).</summary>
    Rar4,

    /// <summary>RAR 5.0 and later.</summary>
    Rar5,

    /// <summary>7z.</summary>
    SevenZip,

    /// <summary>ZIP.</summary>
    Zip,

    /// <summary>A file cut into numbered parts that have no headers of their own.</summary>
    Split,

    /// <summary>A disc image with ISO 9660 and no UDF.</summary>
    Iso9660,

    /// <summary>A disc image with UDF, with or without ISO 9660 beside it.</summary>
    Udf,
}
