namespace NzbDav.Catalog.Jobs;

/// <summary>Who brought a job.</summary>
public enum JobSource
{
    /// <summary>An .nzb dropped over WebDAV.</summary>
    Dav,

    /// <summary>The command line.</summary>
    Cli,

    /// <summary>The demonstration.</summary>
    Demo,

    /// <summary>One of the HTTP interfaces.</summary>
    Api,

    /// <summary>A folder of the disk that is watched.</summary>
    Folder,
}
