namespace NzbDav.Arr.Library;

/// <summary>What became of a download.</summary>
public enum ArrDownload
{
    /// <summary>The application does not know it.</summary>
    Unknown,

    /// <summary>It grabbed it and took nothing of it, ever.</summary>
    Grabbed,

    /// <summary>It took something of it, or may have.</summary>
    Imported,
}
