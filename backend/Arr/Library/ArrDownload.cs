namespace NzbDav.Arr.Library;

/// <summary>The state of a download in an application.</summary>
public enum ArrDownload
{
    /// <summary>The application does not know it.</summary>
    Unknown,

    /// <summary>Grabbed, but nothing of it was ever imported.</summary>
    Grabbed,

    /// <summary>Something of it was imported, or may have been.</summary>
    Imported,
}
